import { createHash } from 'node:crypto';

/** Returns the SHA3-256 of the concatenated parts, computed by OpenSSL. */
export function sha3(...parts: Uint8Array[]): Buffer {
  return createHash('sha3-256').update(Buffer.concat(parts)).digest();
}
