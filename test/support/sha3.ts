import { createHash } from 'node:crypto';

/** SHA3-256 by OpenSSL. */
export function sha3(bytes: Uint8Array): Buffer {
  return createHash('sha3-256').update(bytes).digest();
}
