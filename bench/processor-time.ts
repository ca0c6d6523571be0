import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in ticks of 10 ms. */
const TICK_MS = 10;
const USER_TICKS = 13;
const SYSTEM_TICKS = 14;

/** What a process and those that it started have used of a processor, in user and kernel mode together. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may hold spaces.
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
