// Runs the tests in test/processes.json, which `make test` omits, on the oldest supported version of Node, and
// the journeys and a third of the files of `make test` on the newest version, because that version has removed
// the most features. With ALL_CASES=1, all of these tests run on every supported version.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const processes: string[] = JSON.parse(readFileSync(join(root, 'test/processes.json'), 'utf8'));
/** The arguments of `npm test` with which it runs the tests of `make test`. */
const WHOLE: string[] = [];
const THIRD = ['--shard=1/3'];
const ALL = [WHOLE, processes];
/** The runs of tests, by version of Node; the oldest version is the one in `engines`. */
const RUNS: Readonly<Record<string, readonly string[][]>> =
  process.env.ALL_CASES === '1'
    ? { '20.19': ALL, '22': ALL, '24': ALL, '26': ALL }
    : { '20.19': [processes], '26': [THIRD, ['test/journeys']] };

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

/** Runs a program with changed environment variables; throws if it fails. */
function run(program: string, words: readonly string[], variables: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync(program, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed`);
}

for (const [version, runs] of Object.entries(RUNS)) {
  const node = install(version);
  run(node, ['--version']);
  // A process that a test starts as `node` also runs on this version.
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  for (const tests of runs) {
    // The tests of `make test` run as it runs them; ALL_CASES=1 would make them proofs.
    const cases = tests === WHOLE ? '' : process.env.ALL_CASES;
    run(node, ['tools/test.mjs', ...tests], { PATH: path, ALL_CASES: cases });
  }
}
