import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCode } from '../base/errors.js';

const OWNER_ONLY = 0o600;
const POLL_MS = 10;
/** A lock that one process holds for this long was left behind by its end: a change takes milliseconds. */
const STALE_MS = 5000;

/** Runs `change` while no other process that uses this function changes the same file. */
export async function withLock<T>(path: string, change: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await acquire(lock);
  try {
    return await change();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquire(lock: string): Promise<void> {
  let holder: bigint | undefined;
  let sinceMs = performance.now();
  while (!(await isCreated(lock))) {
    const present = await inodeOf(lock);
    if (present !== holder) {
      holder = present;
      sinceMs = performance.now();
    }
    if (performance.now() - sinceMs > STALE_MS) await rm(lock, { force: true });
    await pause(POLL_MS);
  }
}

async function isCreated(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', OWNER_ONLY)).close();
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function inodeOf(lock: string): Promise<bigint | undefined> {
  return (await stat(lock, { bigint: true }).catch(() => undefined))?.ino;
}
