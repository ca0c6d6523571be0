import { startDockerStandIn } from '../../../../emulator/src/docker/stand-in.js';
import { UsageError } from '../errors.js';
import { runProgram } from '../program.js';
import type { Terminal } from '../terminal.js';

/** Runs the words behind `--` with a Docker that starts emulators; the process ends with the program's exit code. */
export async function runUnderDocker(options: object, terminal: Terminal): Promise<undefined> {
  const words: unknown = Reflect.get(options, '--');
  const [program, ...programArguments] = Array.isArray(words) ? words.map(String) : [];
  if (program === undefined) {
    throw new UsageError('say what to run: zbc-signer emulator docker -- <program> [arguments]');
  }
  const standIn = await startDockerStandIn();
  try {
    const env = { DOCKER_HOST: standIn.dockerHost };
    terminal.exitCode = await runProgram(program, programArguments, env, terminal.signal);
  } finally {
    await standIn.close();
  }
}
