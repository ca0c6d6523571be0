import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './repository.js';

const PROGRAM = join(root, 'dist/host/src/cli/main.js');

export interface RunningProcess {
  child: ChildProcess;
  /** As it told when it was ready, without a slash at the end. */
  url: string;
  port: number;
}

export interface FullNodeProcess {
  dataDir: string;
  /** 0, the default, lets the system choose. */
  port?: number;
  blockTimeSeconds?: number;
}

export interface ProcessOptions {
  /** Words in front of the command, such as `taskset -c 0`. */
  before?: readonly string[];
  /** What happens to stderr, or the file that it goes to: shown when left out. */
  stderr?: 'inherit' | 'ignore' | number;
}

/** Starts `zbc-signer …` as a process; resolves when it tells that it is ready. */
export async function startProgram(
  words: readonly string[],
  { before = [], stderr = 'inherit' }: ProcessOptions = {},
): Promise<RunningProcess> {
  const [command = process.execPath, ...rest] = [...before, process.execPath, PROGRAM, ...words, '--json'];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', stderr] });
  const lines = createInterface(child.stdout!);
  const [first] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
  if (typeof first !== 'string') throw new Error(`zbc-signer ${words.join(' ')} ended before it was ready`);
  const { url } = JSON.parse(first) as { url: string };
  return { child, url, port: Number(new URL(url).port) };
}

export function startFullNode(node: FullNodeProcess, options?: ProcessOptions): Promise<RunningProcess> {
  const { dataDir, port = 0, blockTimeSeconds = 0.2 } = node;
  const words = [
    'node',
    'run',
    '--port',
    `${port}`,
    '--data',
    dataDir,
    '--block-time',
    `${blockTimeSeconds}`,
  ];
  return startProgram(words, options);
}

export function startArchivalNode(
  { dataDir, port = 0, follow }: { dataDir: string; port?: number; follow: string },
  options?: ProcessOptions,
): Promise<RunningProcess> {
  const words = ['node', 'run', '--archival', '--port', `${port}`, '--data', dataDir, '--follow', follow];
  return startProgram(words, options);
}

/** `fields` are those of `gateway.json` that differ from a private gateway on a free port of loopback without limits. */
export function startGatewayProcess(
  folder: string,
  fields: Record<string, unknown>,
  options?: ProcessOptions,
): Promise<RunningProcess> {
  const path = join(folder, 'gateway.json');
  const config = {
    gateway_host: 'gateway.test',
    listen_port: 0,
    admin_api_key: 'k'.repeat(43),
    health_interval_ms: 200,
    rate_limit: { requests: 0, writes: 0 },
    ...fields,
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return startProgram(['gateway', '--config', path, '--log-level', 'error'], options);
}

/** Ends a process at once or, with SIGTERM, as an operator does; harmless for one that has ended. */
export async function endProcess(
  { child }: RunningProcess,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
