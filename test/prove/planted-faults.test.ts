import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS } from '../../prove/device/faults.js';
import { NODE_FAULTS } from '../../prove/durability/faults.js';
import { listMutations } from '../../prove/mutation.js';
import { faultsOf } from '../../prove/planted-faults/fault.js';
import { modules } from '../../prove/planted-faults/faults/index.js';
import { readText, root } from '../../testkit/repository/repository.js';
import { replaceOnce } from '../../tools/image/replace-once.js';

const faults = modules.flatMap(faultsOf);
const deviceFaults = listMutations(FAULTS).map(fault => ({
  ...fault,
  module: 'device',
  path: `firmware/assembly/${fault.file}`,
}));
const nodeFaults = NODE_FAULTS.map(fault => ({ ...fault, module: 'durability' }));

test.each(
  [...faults, ...deviceFaults, ...nodeFaults].map(fault => [`${fault.module} ${fault.name}`, fault] as const),
)('has a place in the source: %s', (_name, { path, find, replace }) => {
  expect(replaceOnce(readText(path), find, replace)).not.toBe(readText(path));
});

test('is tried with tests that exist', () => {
  const tests = new Set(faults.flatMap(fault => fault.tests));
  expect([...tests].filter(test => !existsSync(join(root, `test/${test}.test.ts`)))).toEqual([]);
});

test('no two faults of a module have the same name', () => {
  const names = [...faults, ...deviceFaults].map(({ module, name }) => `${module}: ${name}`);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('no fault of the device is left out of the checks', () => {
  const makefile = readText('prove/prove.mk').replaceAll('\\\n', ' ');
  const lists = [...makefile.matchAll(/^\w+_FAULTS := (.*)$/gm)].flatMap(([, names]) =>
    names!.trim().split(/\s+/),
  );
  expect([...new Set(lists)].sort()).toEqual(deviceFaults.map(({ name }) => name).sort());
});
