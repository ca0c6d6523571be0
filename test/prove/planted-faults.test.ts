import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FAULTS } from '../../prove/durability/faults.js';
import { faultsOf, plant } from '../../prove/planted-faults/fault.js';
import { modules } from '../../prove/planted-faults/faults/index.js';
import { readText, root } from '../../testkit/repository/repository.js';

const faults = modules.flatMap(faultsOf);

test.each(faults.map(fault => [`${fault.module} ${fault.name}`, fault] as const))(
  'has a place in the source: %s',
  (_name, fault) => {
    expect(plant(readText(fault.path), fault)).not.toBe(readText(fault.path));
    expect(fault.tests.filter(test => !existsSync(join(root, `test/${test}.test.ts`)))).toEqual([]);
  },
);

test.each(NODE_FAULTS.map(fault => [fault.name, fault] as const))(
  'has a place in the source, for the proof of durability: %s',
  (_name, fault) => {
    expect(plant(readText(fault.path), fault)).not.toBe(readText(fault.path));
  },
);

test('no two faults of a module have the same name', () => {
  const names = faults.map(({ module, name }) => `${module}: ${name}`);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test.each([
  ['nowhere', 'a b c', 'x'],
  ['twice', 'a b a', 'a'],
])('is not applied where the text occurs %s', (_where, source, find) => {
  const fault = { module: '', name: '', guards: '', path: 'file', find, replace: 'y', tests: [] };
  expect(() => plant(source, fault)).toThrow(/file contains/);
});
