import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDirectory } from '../testkit/process/temporary-directory.js';
import { readText, root } from '../testkit/repository/repository.js';

const JEST = join(root, 'node_modules/jest/bin/jest.js');

/** The programs of docs/TESTING.md and README.md, by the name in their first line. */
const programs = new Map(
  [...readText('docs/TESTING.md').matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(
    ([, name, source]) => [name!, source!] as const,
  ),
);
programs.set('readme.js', /```js\n([\s\S]*?)```/.exec(readText('README.md'))![1]!);

const directory = openTestDirectory();

/** A project with the installed packages. */
beforeAll(() => {
  mkdirSync(join(directory, 'node_modules'));
  for (const name of ['@zbc-signer', 'fast-check']) {
    symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  }
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  for (const [name, source] of programs) writeFileSync(join(directory, name), source);
});

function run(...words: string[]): { status: number | null; output: string } {
  const env = { PATH: process.env.PATH ?? '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: directory,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('docs/TESTING.md and README.md contain the programs that this file tests', () => {
  expect([...programs.keys()]).toEqual([
    'screens.test.js',
    'screens.node.js',
    'transfer.node.js',
    'encoder.node.js',
    'readme.js',
  ]);
});

test('the printed command installs the packages that the programs import', () => {
  const [install = ''] = /^npm install --save-dev jest .*$/m.exec(readText('docs/TESTING.md'))!;
  const installed = [...install.matchAll(/\/path\/to\/zbc-signer\/(\w+)/g)].map(([, name]) => name);
  const imported = [...programs.values()].flatMap(source =>
    [...source.matchAll(/ from '@zbc-signer\/(\w+)/g)].map(([, name]) => name),
  );
  expect(installed.sort()).toEqual([...new Set(imported)].sort());
});

test('the first tests of docs/TESTING.md run in jest as printed, and write their snapshots', () => {
  const { status, output } = run('--experimental-vm-modules', JEST, '--rootDir', directory, '--transform={}');
  expect(output).toContain('3 passed, 3 total');
  expect(status).toBe(0);
  expect(readdirSync(join(directory, 'snapshots/sign-in'))).toEqual(
    [0, 1, 2, 3].map(page => `0000${page}.png`),
  );
});

test('the test without jest runs as printed', () => {
  const { status, output } = run('--test', 'screens.node.js');
  expect(output).toContain('pass 1');
  expect(status).toBe(0);
});

test.each(['transfer.node.js', 'encoder.node.js'])('the program %s runs as printed', name => {
  const { status, output } = run('--test', name);
  expect(output).toContain('pass 1');
  expect(status).toBe(0);
});

test('the program of README.md prints the review and the signature', () => {
  const { status, output } = run('readme.js');
  expect(output).toContain("[ 'Message', 'Sign in to example.org' ]");
  expect(output).toContain('signature: Uint8Array(64)');
  expect(status).toBe(0);
});
