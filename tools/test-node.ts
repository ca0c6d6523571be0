// test-node [major …]: runs the journeys on other versions of Node, from the registry, and the tests of the command
// line on the newest, which takes away first what an older one has.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJORS = ['22', '24', '26'];
const TESTS = ['dist/test/journeys/'];
const NEWEST_TESTS = ['dist/test/cli/'];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program of a version, installed once under node_modules/.cache. */
function install(major: string): string {
  const directory = join(root, 'node_modules/.cache', `node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(directory, 'node_modules', name, 'bin/node');
  if (!existsSync(program)) {
    run('npm', [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--prefix',
      directory,
      `${name}@${major}`,
    ]);
  }
  return program;
}

/** Throws when the program fails. */
function run(program: string, words: readonly string[], path = process.env.PATH ?? ''): void {
  const { status } = spawnSync(program, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BUNDLED: '1', PATH: path },
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed`);
}

for (const major of process.argv.length > 2 ? process.argv.slice(2) : MAJORS) {
  const node = install(major);
  run(node, ['--version']);
  // A process that a test starts as `node` is this version too.
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const tests = major === MAJORS.at(-1) ? [...TESTS, ...NEWEST_TESTS] : TESTS;
  run(node, ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...tests], path);
}
