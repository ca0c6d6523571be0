import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { UsageError } from '../errors/errors.js';

/**
 * Runs a program on this terminal with additional environment variables. Resolves with its exit code: as in a
 * shell, 128 plus the signal's number if a signal ended it. Aborting sends SIGTERM. Throws UsageError if the
 * program cannot be started.
 */
export async function runProgram(
  program: string,
  programArguments: readonly string[],
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<number> {
  const child = spawn(program, programArguments, { stdio: 'inherit', env: { ...process.env, ...env } });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code, name] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (name === null ? 0 : constants.signals[name]);
  } catch (error) {
    throw new UsageError(`cannot run ${program}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
