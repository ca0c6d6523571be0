import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { PublishedFile } from './published-file.js';

/** More files than an operator keeps; then everything is read again. */
const MAX_FILES = 1000;

/** SHA-256 of files, each read once for as long as it stays the same. */
export class FileHashes {
  readonly #hashes = new Map<string, Promise<string>>();

  /** Lower hex; reads and closes the file unless its hash is known, whichever name it has. */
  async of(file: PublishedFile): Promise<string> {
    const known = this.#hashes.get(file.version);
    if (known !== undefined) {
      await file.handle.close();
      return known;
    }
    if (this.#hashes.size >= MAX_FILES) {
      this.#hashes.clear();
    }
    const hash = hashFile(file);
    this.#hashes.set(file.version, hash);
    hash.catch(() => this.#hashes.delete(file.version));
    return hash;
  }
}

/** Throws when the file changed its length meanwhile. */
async function hashFile({ handle, size }: PublishedFile): Promise<string> {
  const hash = createHash('sha256');
  const stream = handle.createReadStream();
  await pipeline(stream, hash);
  if (stream.bytesRead !== size) {
    throw new Error('a release file changed while it was read');
  }
  return hash.digest('hex');
}
