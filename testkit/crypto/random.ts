import { createCipheriv } from 'node:crypto';

/**
 * Returns a generator of pseudorandom bytes. The bytes depend only on `stream`, so they are equal in every
 * run.
 */
export function createRandom(stream: number): (length: number) => Uint8Array {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, stream), Buffer.alloc(16));
  return length => new Uint8Array(cipher.update(Buffer.alloc(length)));
}
