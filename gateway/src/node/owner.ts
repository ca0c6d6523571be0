import { readFileSync } from 'node:fs';
import { DevnetError } from '../errors.js';
import type { Store } from './store.js';

/** The process that has a data directory open; a number is used again, its start time is not. */
interface Owner {
  pid: bigint;
  started: string;
}

/** Throws DevnetError while a living process owns the directory; LMDB lets one process at a time in here. */
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

/** When a living process started, in a form of the system's own; undefined when none has this number. */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxStartOf(pid) : signalledStartOf(pid);
}

function linuxStartOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may itself hold spaces and parentheses: fields are counted from its end (proc(5)).
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' ? undefined : startTicks;
  } catch {
    return undefined;
  }
}

/** Elsewhere the start time is not to be had without another program: a living process is taken for the owner. */
function signalledStartOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : undefined;
  }
}
