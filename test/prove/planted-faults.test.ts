import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS } from '../../prove/device/faults.js';
import { listMutations } from '../../prove/mutation.js';
import { faultsOf, type Module } from '../../prove/planted-faults/fault.js';
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

test('`make test` runs a test of each fault, unless its module names the command that does', () => {
  const { jest } = JSON.parse(readText('package.json')) as { jest: { testPathIgnorePatterns: string[] } };
  const others = [
    ...jest.testPathIgnorePatterns.map(path => path.replace('<rootDir>/dist/', '').replace(/\(.*/, '')),
    ...(JSON.parse(readText('test/processes.json')) as string[]),
  ];
  const runsElsewhere = (name: string) => others.some(path => `test/${name}.test.ts`.startsWith(path));
  const unrun = Object.values(modules)
    .filter((module: Module) => module.elsewhere === undefined)
    .flatMap(faultsOf)
    .filter(({ tests }) => tests.every(runsElsewhere));
  expect(unrun.map(({ module, name }) => `${module}: ${name}`)).toEqual([]);
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
