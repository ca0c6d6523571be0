// Runs the tests in test/processes.json, which `make test` omits, on the oldest supported version of Node.
// The journeys also run on the newest version, because that version has removed the most features. With
// ALL_CASES=1, the tests of the command line also run on the newest version, and the journeys on the versions
// between.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const paths: string[] = JSON.parse(readFileSync(join(root, 'test/processes.json'), 'utf8'));
const RELEASE = { '22': ['test/journeys'], '24': ['test/journeys'], '26': ['test/journeys', 'test/cli'] };
/** The tests to run, by version of Node; the oldest version is the one in `engines`. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  '20.19': paths,
  '26': ['test/journeys'],
  ...(process.env.ALL_CASES === '1' && RELEASE),
};

/**
 * Installs a version of Node under node_modules/.cache, unless it is there. Returns the path of its program.
 */
function install(version: string): string {
  const directory = join(root, 'node_modules/.cache', `node-${version}`);
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
      `${name}@${version}`,
    ]);
  }
  return program;
}

/** Runs a program; throws if it fails. */
function run(program: string, words: readonly string[], path = process.env.PATH ?? ''): void {
  const { status } = spawnSync(program, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed`);
}

for (const [version, tests] of Object.entries(TESTS)) {
  const node = install(version);
  run(node, ['--version']);
  // A process that a test starts as `node` also runs on this version.
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  run(node, ['tools/test.mjs', ...tests], path);
}
