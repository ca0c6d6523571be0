import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PRELOADED = new URL('./end-with-parent.js', import.meta.url).href;

export interface ChildOptions {
  /** Words before the command, such as `taskset -c 0`. */
  before?: readonly string[];
  /** Options of Node itself. */
  nodeOptions?: readonly string[];
  /** Whether stdin is a pipe. Default: no input. */
  stdin?: 'pipe';
  /**
   * Destination of stderr. A number is the descriptor of an open file. Default: the stderr of this process.
   */
  stderr?: 'ignore' | 'pipe' | number;
  /** Whether to open a channel of Node's IPC. */
  channel?: boolean;
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
}

/** A process, and the first line of its output. */
export interface StartedChild {
  child: ChildProcess;
  line: string;
}

/** Runs a script of this repository in a process. It ends when this process ends for any reason. */
export function spawnScript(
  script: string,
  words: readonly string[],
  { before = [], nodeOptions = [], stdin, stderr, channel, env = process.env }: ChildOptions = {},
): ChildProcess {
  const node = [process.execPath, ...nodeOptions, '--import', PRELOADED, script, ...words];
  const [command = process.execPath, ...rest] = [...before, ...node];
  // A process with an IPC channel ends when the channel closes. Any other process ends when a pipe closes.
  const lifeline = channel === true ? 'ipc' : 'pipe';
  return spawn(command, rest, { env, stdio: [stdin ?? 'ignore', 'pipe', stderr ?? 'inherit', lifeline] });
}

/** Starts a script. Resolves when it has printed its first line. Throws if it ends before that. */
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
  if (typeof line !== 'string')
    throw new Error(`${script} ${words.join(' ')} ended before it printed a line`);
  return { child, line };
}

/**
 * Kills a process, or stops it with SIGTERM, as an operator does. Does nothing if the process has already
 * ended.
 */
export async function endProcess(
  { child }: { child: ChildProcess },
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
