import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PRELOADED = new URL('./end-with-parent.js', import.meta.url).href;

export interface ChildOptions {
  /** Words in front of the command, such as `taskset -c 0`. */
  before?: readonly string[];
  /** Options of Node itself. */
  nodeOptions?: readonly string[];
  /** Default: no input. */
  stdin?: 'pipe';
  /** A number is the descriptor of an open file; default: inherited. */
  stderr?: 'ignore' | 'pipe' | number;
  /** Whether to open a channel of Node's IPC. */
  channel?: boolean;
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
}

/** A process with its first line of output. */
export interface StartedChild {
  child: ChildProcess;
  line: string;
}

/** Runs a script of this repository in a process that ends if this one ends for any reason. */
export function spawnScript(
  script: string,
  words: readonly string[],
  { before = [], nodeOptions = [], stdin, stderr, channel, env = process.env }: ChildOptions = {},
): ChildProcess {
  const node = [process.execPath, ...nodeOptions, '--import', PRELOADED, script, ...words];
  const [command = process.execPath, ...rest] = [...before, ...node];
  // A forked process ends with its channel, any other with its pipe.
  const lifeline = channel === true ? 'ipc' : 'pipe';
  return spawn(command, rest, { env, stdio: [stdin ?? 'ignore', 'pipe', stderr ?? 'inherit', lifeline] });
}

/** Resolves when the process prints its first line; throws if it ends without one. */
export async function startScript(
  script: string,
  words: readonly string[],
  options?: ChildOptions,
): Promise<StartedChild> {
  const child = spawnScript(script, words, options);
  const [line] = (await Promise.race([
    once(createInterface(child.stdout!), 'line'),
    once(child, 'exit'),
  ])) as [unknown];
  if (typeof line !== 'string') throw new Error(`${script} ${words.join(' ')} ended before it was ready`);
  return { child, line };
}

/** Kills a process or, with SIGTERM, stops it like an operator; has no effect after its end. */
export async function endProcess(
  { child }: { child: ChildProcess },
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
