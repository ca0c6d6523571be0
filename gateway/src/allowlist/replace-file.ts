import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
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
 * Replaces the file by the text that `make` returns, or leaves it if that is undefined, while no other process
 * that uses this function replaces it. The lock is a file next to it, which becomes the new file: readers see the
 * old content or the new content, even after a power failure. Throws if others took the lock of this process for
 * one left behind, because the process was suspended.
 */
export async function replaceFile(
  path: string,
  make: () => Promise<string | undefined>,
  stalePolls = STALE_POLLS,
): Promise<void> {
  const lock = `${path}.lock`;
  const handle = await openLock(lock, stalePolls);
  const { ino } = await handle.stat({ bigint: true });
  const isHeld = async () => (await statusOf(lock))?.ino === ino;
  try {
    const text = await make();
    if (text === undefined) return;
    await handle.writeFile(text);
    await handle.sync();
    if (!(await isHeld())) throw new Error('the lock was lost');
    await rename(lock, path);
  } finally {
    if (await isHeld()) await rm(lock, { force: true });
    await handle.close();
  }
}

async function openLock(lock: string, stalePolls: number): Promise<FileHandle> {
  let last: string | undefined;
  for (let polls = 0; ; polls += 1) {
    try {
      return await open(lock, 'wx', OWNER_ONLY);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    const found = await statusOf(lock);
    // A file system may reuse the inode number of a deleted file.
    const present = found && `${found.ino} ${found.mtimeNs}`;
    if (present === undefined || present !== last) polls = 0;
    last = present;
    if (polls > stalePolls) await rm(lock, { force: true });
    await pause(POLL_MS);
  }
}

function statusOf(lock: string) {
  return stat(lock, { bigint: true }).catch(() => undefined);
}
