import { createCipheriv } from 'node:crypto';

/** Pseudorandom bytes that are the same in every run; another `stream` gives others. */
export function createRandom(stream: number): (length: number) => Uint8Array {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, stream), Buffer.alloc(16));
  return length => new Uint8Array(cipher.update(Buffer.alloc(length)));
}
