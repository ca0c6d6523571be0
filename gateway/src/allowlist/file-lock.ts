import { rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCode } from '../base/errors.js';

const OWNER_ONLY = 0o600;
const POLL_MS = 10;
/**
 * After this many polls, an unchanged lock counts as left behind by a process that ended: a change takes only
 * milliseconds. Polls are counted because the clock of the machine may jump.
 */
const STALE_POLLS = 500;

/**
 * Runs `change` while no other process that uses this function changes the same file. Before it replaces the file,
 * `change` must call `requireLock`, which throws if others took the lock of this process for one left behind,
 * because the process was suspended.
 */
export async function withLock<T>(
  path: string,
  change: (requireLock: () => Promise<void>) => Promise<T>,
  stalePolls = STALE_POLLS,
): Promise<T> {
  const lock = `${path}.lock`;
  let last: string | undefined;
  for (let polls = 0; !(await isCreated(lock)); polls += 1) {
    const present = await identityOf(lock);
    if (present === undefined || present !== last) polls = 0;
    last = present;
    if (polls > stalePolls) await rm(lock, { force: true });
    await pause(POLL_MS);
  }
  const own = await identityOf(lock);
  const isHeld = async () => own !== undefined && (await identityOf(lock)) === own;
  try {
    return await change(async () => {
      if (!(await isHeld())) throw new Error('the lock was lost');
    });
  } finally {
    if (await isHeld()) await rm(lock, { force: true });
  }
}

async function isCreated(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { flag: 'wx', mode: OWNER_ONLY });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * The inode number alone does not identify a lock, because a file system may reuse the number of a deleted
 * file.
 */
async function identityOf(lock: string): Promise<string | undefined> {
  const found = await stat(lock, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.mtimeNs}`;
}
