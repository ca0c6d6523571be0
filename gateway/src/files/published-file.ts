import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** With these flags, opening fails for a link, and does not block for a pipe without a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Matches one path segment (docs/gateway/routes.md#files). Hidden files are not published. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/;

/** An open file; the caller closes `handle`. */
export interface PublishedFile {
  handle: FileHandle;
  name: string;
  size: number;
  /** Time of the last change, in Unix milliseconds. */
  modifiedMs: number;
  /** A text that changes whenever the file is written or replaced. */
  version: string;
}

export function isSegment(text: unknown): text is string {
  return typeof text === 'string' && SEGMENT.test(text);
}

/** Opens a regular file of the directory itself. Returns undefined for any other name or kind of file. */
export async function openPublished(directory: string, name: string): Promise<PublishedFile | undefined> {
  if (!isSegment(name)) return undefined;
  const handle = await open(join(directory, name), FLAGS).catch(ignoreMissing);
  return handle && describe(handle, name);
}

async function describe(handle: FileHandle, name: string): Promise<PublishedFile | undefined> {
  try {
    const status = await handle.stat({ bigint: true });
    if (status.isFile()) {
      const version = [status.ino, status.size, status.mtimeNs].map(part => part.toString(16)).join('-');
      return { handle, name, size: Number(status.size), modifiedMs: Number(status.mtimeMs), version };
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/**
 * Error codes which mean that the name is not that of a regular file. Any other code, such as EMFILE, is a
 * failure.
 */
const MISSING = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EISDIR',
  'ENXIO',
  'ENAMETOOLONG',
  'ENODEV',
]);

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!MISSING.has(error.code ?? '')) throw error;
}
