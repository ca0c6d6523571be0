import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { UsageError } from '../../errors/errors.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { searchSnapshots } from '../snapshots/search.js';

/** Runs the program after `--` with a Docker stand-in, and exits with its exit code. */
export const command = defineCommand({
  arguments: { program: { array: true, describe: 'the program and its arguments' } },
  examples: [['$0 emulator docker -- npx jest my-zemu-tests', 'needs no Docker and no image']],

  async run(options, terminal) {
    const [program, ...programArguments] = options.program ?? [];
    if (program === undefined) {
      throw new UsageError('missing program: zbc-signer emulator docker -- <program> [arguments]');
    }
    const { startDockerStandIn } = await import('@zbc-signer/emulator/docker');
    const standIn = await startDockerStandIn();
    try {
      const env = { DOCKER_HOST: standIn.dockerHost };
      terminal.exitCode = await runProgram(program, programArguments, env, terminal.signal);
    } finally {
      await standIn.close();
    }
    if (terminal.exitCode !== 0 && !terminal.signal.aborted) await reportSnapshots(terminal);
    return undefined;
  },
});

/** Zemu compares the pictures itself, and says only that one differs. */
async function reportSnapshots(terminal: Terminal): Promise<void> {
  const { changes } = await searchSnapshots('.');
  if (changes.length > 0) terminal.report(`${changes.length} changed snapshots: zbc-signer snapshots review`);
}

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
