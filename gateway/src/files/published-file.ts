import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';

/** With these flags, opening fails for a link, and does not block for a pipe without a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Matches one path segment (docs/gateway/routes.md#files). Hidden files are not published. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/;

/** Files up to this size are read at once, and held in memory: 16 MiB for all. */
const MAX_SMALL_BYTES = 65_536;
const MAX_HELD_FILES = 256;
/** A file that changed later than this may change again without another time of change. */
const SETTLED_MS = 2000;

/** The caller calls `closeFile`. */
export interface PublishedFile {
  name: string;
  size: number;
  /** Time of the last change, in Unix milliseconds. */
  modifiedMs: number;
  /** A text that changes whenever the file is written or replaced. */
  version: string;
  /** All bytes of a small file, or an open file. */
  content: Buffer | FileHandle;
}

/** Small files by their paths, in the order in which they were read. */
const held = new Map<string, PublishedFile>();

export function isSegment(text: unknown): text is string {
  return typeof text === 'string' && SEGMENT.test(text);
}

/** Opens a regular file of the directory itself. Returns undefined for any other name or kind of file. */
export async function openPublished(directory: string, name: string): Promise<PublishedFile | undefined> {
  if (!isSegment(name)) return undefined;
  const path = join(directory, name);
  const known = held.get(path);
  if (known !== undefined) {
    const status = await lstat(path, { bigint: true }).catch(ignoreMissing);
    if (status !== undefined && versionOf(status) === known.version) return known;
    held.delete(path);
  }
  const handle = await open(path, FLAGS).catch(ignoreMissing);
  if (handle === undefined) return undefined;
  let content: PublishedFile['content'] | undefined;
  try {
    const status = await handle.stat({ bigint: true });
    if (!status.isFile()) return undefined;
    const size = Number(status.size);
    const small = size <= MAX_SMALL_BYTES ? await readAll(handle, size) : undefined;
    content = small ?? handle;
    const file = { name, size, modifiedMs: Number(status.mtimeMs), version: versionOf(status), content };
    if (small !== undefined && Date.now() - Number(status.ctimeMs) > SETTLED_MS) hold(path, file);
    return file;
  } finally {
    if (content !== handle) await handle.close();
  }
}

export async function closeFile({ content }: PublishedFile): Promise<void> {
  if (!Buffer.isBuffer(content)) await content.close();
}

/** Unlike the time of the last change of the content, `ctime` cannot be set, such as by `cp -p`. */
function versionOf({ ino, size, ctimeNs }: BigIntStats): string {
  return [ino, size, ctimeNs].map(part => part.toString(16)).join('-');
}

/** Returns undefined if the file was truncated. */
async function readAll(handle: FileHandle, size: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, 0);
  return bytesRead === size ? buffer : undefined;
}

function hold(path: string, file: PublishedFile): void {
  held.set(path, file);
  const [oldest] = held.keys();
  if (held.size > MAX_HELD_FILES) held.delete(oldest!);
}

/**
 * Error codes which mean that the name is not that of a regular file. Any other code, such as EMFILE, is a
 * failure.
 */
const MISSING = /^(ENOENT|ENOTDIR|ELOOP|EACCES|EISDIR|ENXIO|ENAMETOOLONG|ENODEV)$/;

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!MISSING.test(error.code ?? '')) throw error;
}
