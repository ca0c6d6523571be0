import { readFileSync } from 'node:fs';
import { DevnetError } from '../../errors.js';
import type { Store } from './store.js';

/** The process that has a data directory open. Process ids are reused; their start times differ. */
interface Owner {
  pid: bigint;
  started: string;
}

/** Throws DevnetError while a living process owns the directory: only one process may have it open. */
export function claimDirectory(store: Store): void {
  store.write(() => {
    const owner = store.meta.get('owner') as Owner | undefined;
    if (owner !== undefined && startOf(Number(owner.pid)) === owner.started) {
      throw new DevnetError('DATA_IN_USE', `the data directory is in use by process ${owner.pid}`);
    }
    store.meta.put('owner', { pid: process.pid, started: startOf(process.pid) });
  });
}

export function releaseDirectory(store: Store): void {
  store.write(() => store.meta.remove('owner'));
}

/** A living process's start time in a system-specific form; undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxStartOf(pid) : signalledStartOf(pid);
}

function linuxStartOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name may contain spaces and parentheses: count fields from its closing one (proc(5)).
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' ? undefined : startTicks;
  } catch {
    return undefined;
  }
}

/** Other systems need another program for the start time: any living process counts as the owner. */
function signalledStartOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : undefined;
  }
}
