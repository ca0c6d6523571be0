import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** A link is not followed, and a pipe without a writer does not keep the opening waiting. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** One segment of interface.md "Limits", `File name`; a leading dot is refused too, as such files are not published. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/;

/** An open file; whoever gets it closes `handle`. */
export interface PublishedFile {
  handle: FileHandle;
  name: string;
  size: number;
  /** Another one whenever the file was written or replaced. */
  version: string;
}

export function isSegment(text: unknown): text is string {
  return typeof text === 'string' && SEGMENT.test(text);
}

/** Opens a regular file that lies in the directory itself; undefined for any other name or kind of file. */
export async function openPublished(directory: string, name: string): Promise<PublishedFile | undefined> {
  if (!isSegment(name)) {
    return undefined;
  }
  const handle = await open(join(directory, name), FLAGS).catch(ignoreMissing);
  return handle && describe(handle, name);
}

async function describe(handle: FileHandle, name: string): Promise<PublishedFile | undefined> {
  try {
    const status = await handle.stat({ bigint: true });
    if (status.isFile()) {
      const version = [status.ino, status.size, status.mtimeNs].map(part => part.toString(16)).join('-');
      return { handle, name, size: Number(status.size), version };
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** What the system says of names that lead to no regular file; anything else, such as a full table of files, is a failure. */
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
  if (!MISSING.has(error.code ?? '')) {
    throw error;
  }
}
