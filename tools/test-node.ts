// test-node: runs what `make test` leaves out, the tests of test/processes.json, on the least version of Node; of these the
// journeys on the newest, which takes away first what an older one has. With ALL_CASES=1 the command line's run on it too,
// and the journeys on those between.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const paths: string[] = JSON.parse(readFileSync(join(root, 'test/processes.json'), 'utf8'));
const RELEASE = { '22': ['test/journeys'], '24': ['test/journeys'], '26': ['test/journeys', 'test/cli'] };
/** By version; the least is that of `engines`. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  '20.19': paths,
  '26': ['test/journeys'],
  ...(process.env.ALL_CASES === '1' && RELEASE),
};

/** The program of a version, installed once under node_modules/.cache. */
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

/** Throws when the program fails. */
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
  // A process that a test starts as `node` is this version too.
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  run(node, ['tools/test.mjs', ...tests], path);
}
