import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pid, platform } from 'node:process';

const PART_SUFFIX = '.part';
/** Age of a part whose program was killed, as no program takes so long to write one. */
const ABANDONED_MS = 60_000;
/** Mode of a file that only its user may read. */
export const PRIVATE_FILE = 0o600;
/** Mode of a directory that only its user may enter. */
export const PRIVATE_DIRECTORY = 0o700;

/**
 * Reads a regular file of at most `maxBytes`. The checks are needed because another user may have created the
 * file. Rejects with the system's error, or with what `damaged` returns for a fault such as `it is not a file`.
 */
export async function readPrivateFile(
  path: string,
  maxBytes: number,
  damaged: (fault: string) => Error,
): Promise<{ text: string; writtenMs: number }> {
  // Links are not followed, and a pipe without a writer does not block. Windows lacks these flags.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    if (!status.isFile()) throw damaged('it is not a file');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1));
    if (bytesRead > maxBytes) throw damaged(`it is longer than ${maxBytes} bytes`);
    return { text: buffer.toString('utf8', 0, bytesRead), writtenMs: status.mtimeMs };
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file atomically and flushes it, so that neither a killed process nor a power cut leaves an
 * incomplete file. Creates its directory, and removes what killed processes have left of the file.
 */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  const part = `${path}.${pid}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`;
  try {
    await writeDurably(part, text);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
  await removeAbandoned(path).catch(() => {});
  await syncDirectory(directory);
}

async function removeAbandoned(path: string): Promise<void> {
  const [directory, prefix] = [dirname(path), `${basename(path)}.`];
  for (const name of await readdir(directory)) {
    const part = join(directory, name);
    const isPart = name.startsWith(prefix) && name.endsWith(PART_SUFFIX);
    if (isPart && (await stat(part)).mtimeMs < Date.now() - ABANDONED_MS) await rm(part, { force: true });
  }
}

/** Flushes a directory, so that changed names reach the disk. Windows cannot open a directory for this. */
export async function syncDirectory(path: string): Promise<void> {
  if (platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file: FileHandle = await open(path, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
