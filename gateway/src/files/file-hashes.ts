import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { PublishedFile } from './published-file.js';

/** Beyond this the cache is cleared. */
const MAX_FILES = 1000;

/** Caches the SHA-256 of unchanged files. */
export class FileHashes {
  readonly #hashes = new Map<string, Promise<string>>();

  /** Lower hex; closes the file, and reads it only if the hash is not cached. */
  async of(file: PublishedFile): Promise<string> {
    const known = this.#hashes.get(file.version);
    if (known !== undefined) {
      await file.handle.close();
      return known;
    }
    if (this.#hashes.size >= MAX_FILES) this.#hashes.clear();
    const hash = hashFile(file);
    this.#hashes.set(file.version, hash);
    hash.catch(() => this.#hashes.delete(file.version));
    return hash;
  }
}

/** Throws if the file's length changes meanwhile. */
async function hashFile({ handle, size }: PublishedFile): Promise<string> {
  const hash = createHash('sha256');
  const stream = handle.createReadStream();
  await pipeline(stream, hash);
  if (stream.bytesRead !== size) throw new Error('a release file changed while being read');
  return hash.digest('hex');
}
