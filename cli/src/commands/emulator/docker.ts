import { UsageError } from '../../errors/errors.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { runProgram } from '../../process/child-program.js';
import { searchSnapshots } from '../../snapshots/search.js';

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
