import { createHash } from 'node:crypto';

/** SHA3-256 by OpenSSL of the concatenated parts. */
export function sha3(...parts: Uint8Array[]): Buffer {
  return createHash('sha3-256').update(Buffer.concat(parts)).digest();
}
