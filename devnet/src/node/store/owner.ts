import { readFileSync } from 'node:fs';
import { RequestError } from '@zbc-signer/gateway/server';
import { DevnetError } from '../../errors.js';
import type { Store } from './store.js';

/**
 * The process that has a data directory open. The start time identifies it, because process ids are reused.
 */
interface Owner {
  pid: bigint;
  started: string;
}

/**
 * Records this process as the owner of the directory. Throws DevnetError if another owner still runs, because
 * only one process may have the directory open.
 */
export function claimDirectory(store: Store): void {
  store.write(() => {
    const owner = store.meta.get('owner') as Owner | undefined;
    if (owner !== undefined && startOf(Number(owner.pid)) === owner.started) {
      throw new DevnetError('DATA_IN_USE', `the data directory is in use by process ${owner.pid}`);
    }
    store.meta.put('owner', { pid: process.pid, started: startOf(process.pid) });
  });
}

/** Removes the record, unless the disk is full: a record of a process that has ended bars nobody. */
export function releaseDirectory(store: Store): void {
  try {
    store.write(() => store.meta.remove('owner'));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
  }
}

/**
 * Returns the start time of a running process in a system-specific form; undefined if there is no such
 * process.
 */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxStartOf(pid) : signalledStartOf(pid);
}

function linuxStartOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The process name may contain spaces and parentheses, so fields are counted from its last closing
    // parenthesis (proc(5)).
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' ? undefined : startTicks;
  } catch {
    return undefined;
  }
}

/**
 * On systems other than Linux, only another program can report the start time. There, any running process with
 * this id counts as the owner.
 */
function signalledStartOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : undefined;
  }
}
