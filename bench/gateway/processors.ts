import { type ChildProcess, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';

/** The processor for the measured process only. */
const MEASURED = 0;
/** The processor for the load generator and the upstream. */
const OTHERS = 1;

export const ON_MEASURED = ['taskset', '-c', `${MEASURED}`] as const;
export const ON_OTHERS = ['taskset', '-c', `${OTHERS}`] as const;

/** The reason why programs cannot be compared on this machine; undefined if they can. */
export function whyNotMeasured(programs: readonly string[]): string | undefined {
  if (cpus().length < 2) return 'not measured: there is only one processor';
  const missing = ['taskset', ...programs].find(program => spawnSync(program, ['-v']).error !== undefined);
  return missing === undefined ? undefined : `not measured: ${basename(missing)} is not installed`;
}

/** Linux counts processor time in ticks of 10 ms. */
const TICK_MS = 10;
const USER_TICKS = 13;
const SYSTEM_TICKS = 14;

/** Processor time of a process and its children, in user and kernel mode together. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name in parentheses may contain spaces.
  const fields = [`${pid}`, '', ...stat.slice(stat.lastIndexOf(')') + 2).split(' ')];
  const own = TICK_MS * (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]));
  return childrenOf(pid).reduce((sum, child) => sum + processorMs(child), own);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter(word => word !== '')
    .map(Number);
}

/** A server process, which SIGTERM ends. */
export interface Server {
  child: ChildProcess;
  /** URL without a trailing slash. */
  url: string;
  port: number;
}
