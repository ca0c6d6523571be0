import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS } from '../../prove/device/faults.js';
import { listMutations } from '../../prove/mutation.js';
import { faultsOf } from '../../prove/planted-faults/fault.js';
import * as modules from '../../prove/planted-faults/faults/index.js';
import { readText, root } from '../../testkit/repository/repository.js';
import { replaceOnce } from '../../tools/image/replace-once.js';

const faults = Object.values(modules).flatMap(faultsOf);
const deviceFaults = listMutations(FAULTS).map(fault => ({
  ...fault,
  module: 'device',
  path: `firmware/assembly/${fault.file}`,
}));

test.each([...faults, ...deviceFaults].map(fault => [`${fault.module} ${fault.name}`, fault] as const))(
  'the source contains the code that this fault replaces: %s',
  (_name, { path, find, replace }) => {
    expect(replaceOnce(readText(path), find, replace)).not.toBe(readText(path));
  },
);

test('the tests with which the faults are tried exist', () => {
  const tests = new Set(faults.flatMap(fault => fault.tests));
  expect([...tests].filter(test => !existsSync(join(root, `test/${test}.test.ts`)))).toEqual([]);
});

test('no two faults of a module have the same name', () => {
  const names = [...faults, ...deviceFaults].map(({ module, name }) => `${module}: ${name}`);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('prove.mk lists exactly the faults of the device', () => {
  const makefile = readText('prove/prove.mk').replaceAll('\\\n', ' ');
  const lists = [...makefile.matchAll(/^\w+_FAULTS := (.*)$/gm)].flatMap(([, names]) =>
    names!.trim().split(/\s+/),
  );
  expect([...new Set(lists)].sort()).toEqual(deviceFaults.map(({ name }) => name).sort());
});
