import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

/** Path of npm's JavaScript program, so that any version of Node can run it. */
export const NPM_PROGRAM =
  process.env.npm_execpath ??
  realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());

export interface RunResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Returns the environment of a user. It lacks the variables of an npm that runs this process, and `CI`, with
 * which jest would not write new snapshots.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const own = /^(npm_(?!config_(registry|cache|userconfig|globalconfig)$)|NODE_OPTIONS$|INIT_CWD$|CI$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

export function run(
  program: string,
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = plainEnvironment(),
): RunResult {
  return spawnSync(program, words, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26 });
}

/** Runs npm with a given Node. Returns the output. Throws with the output if npm fails. */
export function npm(words: readonly string[], cwd: string, node = process.execPath): string {
  const { status, stdout, stderr } = run(node, [NPM_PROGRAM, ...words], cwd);
  if (status !== 0) throw new Error(`npm ${words.join(' ')} failed in ${cwd}\n${stderr}${stdout}`);
  return stdout;
}
