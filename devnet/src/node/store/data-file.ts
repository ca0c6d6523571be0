import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Size of LMDB's two meta pages. The first begins with a header of 24 bytes and this magic number. */
const META_BYTES = 8192;
const MARK_OFFSET = 24;
const MARK = 0xbeefc0de;

/**
 * Throws unless `data.mdb` is missing, empty or an LMDB file, because the library crashes the process for any
 * other file.
 */
export function checkDataFile(directory: string): void {
  const path = join(directory, 'data.mdb');
  const start = existsSync(path) ? readStart(path) : Buffer.alloc(0);
  if (start.length > 0 && (start.length < META_BYTES || start.readUInt32LE(MARK_OFFSET) !== MARK)) {
    throw new Error('data.mdb is not an LMDB file');
  }
}

function readStart(path: string): Buffer {
  const bytes = Buffer.alloc(META_BYTES);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
