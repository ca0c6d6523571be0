import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDirectory } from '../testkit/process/temporary-directory.js';
import { rowsOf, sectionOf } from '../testkit/repository/documents.js';
import { readText, root } from '../testkit/repository/repository.js';

const MAKE = execFileSync('sh', ['-c', 'command -v make'], { encoding: 'utf8' }).trim();

/** The lists of files to change, and existing members whose names replace `NAME`. */
const LISTS: [heading: string, examples: readonly string[]][] = [
  ['## Adding a transaction type', ['send-zbc', 'transfer-token', 'approval-escrow', 'send-token']],
  ['## Adding a command', ['get-public-key', 'sign-tx', 'sign-message']],
  ['### On a full node', ['accounts', 'markets']],
  ['### On an archival node', ['movements', 'transactions']],
  ['### On the gateway', ['status']],
];

const bin = openTestDirectory();

/** Runs make with a directory of programs before, or instead of, all others. */
const make = (target: string, path: string) =>
  spawnSync(MAKE, ['--silent', target], { cwd: root, encoding: 'utf8', env: { PATH: path } });

test('make shows the error of a Node that cannot start', () => {
  writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "node: libnode.so is missing" >&2\nexit 127\n', {
    mode: 0o755,
  });
  const { status, stderr } = make('node-version', `${bin}:${process.env.PATH}`);
  expect([status, stderr]).toEqual([2, expect.stringContaining('libnode.so is missing')]);
  const [sentence] = /You need make and Node ≥ [\d.]+\d/.exec(readText('README.md'))!;
  expect(stderr).toContain(sentence);
});

test('a command names the programs that are missing, and how to install them', () => {
  for (const name of ['sed', 'grep', 'tr', 'sh'])
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(bin, name),
    );
  const { status, stderr } = make('needs-test-node', bin);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^test-node needs .*python3.*; make system-deps installs/),
  ]);
});

test.each(LISTS)('every file under "%s" in CONTRIBUTING.md exists', (heading, examples) => {
  const rows = rowsOf(sectionOf('CONTRIBUTING.md', heading));
  const paths = rows.flatMap(([file]) => /^`([^`]+)`$/.exec(file!)?.[1] ?? []);
  const exists = (path: string) => examples.some(name => existsSync(join(root, path.replace('NAME', name))));
  expect(paths.filter(path => !exists(path))).toEqual([]);
  expect(paths.length).toBeGreaterThan(5);
});
