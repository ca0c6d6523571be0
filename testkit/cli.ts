import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { spawnScript } from './child.js';
import { PROGRAM } from './program.js';
import { root } from './repository.js';

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** Another one than `PROGRAM`. */
  program?: string;
}

export interface CliProcess {
  child: ChildProcess;
  /** What has come so far. */
  output: { stdout: string; stderr: string };
  done: Promise<CliResult>;
}

/** The command line in a separate process, without the caller's environment. */
export function startCli(
  words: readonly string[],
  { env = {}, stdin = '', program = PROGRAM }: CliOptions = {},
): CliProcess {
  const child = spawnScript(program, words, {
    // No file is there.
    env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: join(root, 'dist/no-configuration'), ...env },
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
  // A command that does not read its input may be gone already.
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

/** Resolves when the text has come on a stream; rejects when the process ends without it. */
export async function untilSaid(cli: CliProcess, stream: 'stdout' | 'stderr', text: string): Promise<void> {
  let ended = false;
  void cli.done.then(() => {
    ended = true;
  });
  while (!cli.output[stream].includes(text)) {
    if (ended) throw new Error(`ended without ${JSON.stringify(text)}: ${JSON.stringify(cli.output)}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
