import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText, root } from './support/repository.js';

const JEST = join(root, 'node_modules/jest/bin/jest.js');

/** The programs of docs/TESTING.md by the name in their first line. */
const programs = new Map(
  [...readText('docs/TESTING.md').matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(
    ([, name, source]) => [name!, source!] as const,
  ),
);

let folder: string;

/** A project of its own in which the package is installed. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-test-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/zbc-signer'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, source] of programs) writeFileSync(join(folder, name), source);
});

afterAll(() => rmSync(folder, { recursive: true }));

function run(...words: string[]): { status: number | null; output: string } {
  const env = { PATH: process.env.PATH ?? '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('the document has these programs', () => {
  expect([...programs.keys()]).toEqual(['screens.test.js', 'screens.node.js', 'replay.js']);
});

test('the first tests run in jest as they are printed, and write their snapshots', () => {
  const { status, output } = run('--experimental-vm-modules', JEST, '--rootDir', folder, '--transform={}');
  expect(output).toContain('3 passed, 3 total');
  expect(status).toBe(0);
  expect(readdirSync(join(folder, 'snapshots/sign-in'))).toEqual([0, 1, 2, 3].map(page => `0000${page}.png`));
});

test('the test without jest runs as it is printed', () => {
  const { status, output } = run('--test', 'screens.node.js');
  expect(output).toContain('pass 1');
  expect(status).toBe(0);
});

test('the recording is replayed as it is printed', () => {
  expect(run('replay.js')).toEqual({ status: 0, output: 'replayed\n' });
});
