import { execFile } from 'node:child_process';

/**
 * Runs a program in a directory. Its environment has only PATH and the given variables. Returns the output,
 * and whether the program failed.
 */
export function runToEnd(
  program: string,
  words: readonly string[],
  cwd: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<{ failed: boolean; output: string }> {
  const env = { PATH: process.env.PATH, ...variables };
  return new Promise(resolve => {
    execFile(program, words, { cwd, env }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}
