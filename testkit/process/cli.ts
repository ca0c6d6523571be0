import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { root } from '../repository/repository.js';
import { spawnScript } from './child.js';
import type { CliResult, CommandLine } from './command-loop.js';
import { PROGRAM } from './program.js';

export type { CliResult };

export interface CliOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** Words before the command, as in `ChildOptions`. */
  before?: readonly string[];
  /** Path of a program that replaces `PROGRAM`. */
  program?: string;
}

export interface CliProcess {
  child: ChildProcess;
  /** The output received so far. */
  output: { stdout: string; stderr: string };
  done: Promise<CliResult>;
}

/**
 * Returns the environment of a command. It does not contain the environment of this process or a
 * configuration file. The journal of payments is empty.
 */
function environment(env: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: join(root, 'dist/no-configuration'),
    XDG_STATE_HOME: join(root, 'dist/journals', randomUUID()),
    ...env,
  };
}

/** Starts the command line in a separate process, without the environment of this process. */
export function startCli(
  words: readonly string[],
  { env = {}, stdin = '', before = [], program = PROGRAM }: CliOptions = {},
): CliProcess {
  const child = spawnScript(program, words, {
    before,
    env: environment(env),
    stdin: 'pipe',
    stderr: 'pipe',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout!.on('data', (chunk: Buffer) => {
    output.stdout += chunk;
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    output.stderr += chunk;
  });
  // A command that does not read its input may already have ended.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(stdin);
  const done = new Promise<CliResult>(resolve => {
    child.on('close', code => resolve({ code, ...output }));
  });
  return { child, output, done };
}

export function runCli(words: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(words, options).done;
}

/** Installs `zbc-signer` in this directory, for a shell that has the directory in its PATH. */
export function installProgram(directory: string): void {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(directory, 'zbc-signer'), script, { mode: 0o755 });
}

/** Runs one command after another in one Node process, which ends with its parent. */
class CommandLoop {
  readonly #child = spawnScript(join(root, 'dist/testkit/process/command-loop.js'), [PROGRAM], {
    channel: true,
  });
  #previous: Promise<unknown> = Promise.resolve();
  waiting = 0;

  constructor() {
    this.#child.unref();
    this.#child.channel?.unref();
    (this.#child.stdout as Socket | null)?.unref();
  }

  async run(line: CommandLine): Promise<CliResult> {
    this.waiting += 1;
    const done = this.#previous.then(() => this.#run(line));
    this.#previous = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      this.waiting -= 1;
    }
  }

  async #run(line: CommandLine): Promise<CliResult> {
    const answer = once(this.#child, 'message') as Promise<[CliResult]>;
    const exit = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`zbc-signer ${line.words.join(' ')} ended its process with code ${code}`);
    });
    this.#child.send(line);
    const [result] = await Promise.race([answer, exit]);
    return result;
  }

  stop(): void {
    this.#child.kill();
  }
}

const loops: CommandLoop[] = [];
// Each test file has a copy of this module, and its worker outlives it.
if ('afterAll' in globalThis)
  afterAll(() => {
    for (const loop of loops) loop.stop();
  });
const MAX_LOOPS = 2;

/**
 * Does the same as `runCli`, but in a process that runs one command after another. Use it if the command ends
 * by itself and the test is not about the process.
 */
export function runCommand(
  words: readonly string[],
  { env = {}, stdin = '' }: Pick<CliOptions, 'env' | 'stdin'> = {},
): Promise<CliResult> {
  let [loop] = loops.toSorted((one, other) => one.waiting - other.waiting);
  if (loop === undefined || (loop.waiting > 0 && loops.length < MAX_LOOPS)) {
    loop = new CommandLoop();
    loops.push(loop);
  }
  return loop.run({ words, env: environment(env), stdin });
}

/** Resolves when the text appears on a stream. Rejects if the process ends before that. */
export async function untilSaid(cli: CliProcess, stream: 'stdout' | 'stderr', text: string): Promise<void> {
  let ended = false;
  void cli.done.then(() => {
    ended = true;
  });
  while (!cli.output[stream].includes(text)) {
    if (ended)
      throw new Error(
        `the command ended without printing ${JSON.stringify(text)}: ${JSON.stringify(cli.output)}`,
      );
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
