// A module for tests and measurements only: the seam of crypto.ts, the parts that it keeps to itself, and a buffer.
import { expandKey, signExpanded } from '../assembly/crypto/ed25519';
import { wipeScratch } from '../assembly/crypto/scratch';
import { sha512 } from '../assembly/crypto/sha512';

export * from '../assembly/crypto/crypto';
export { expandKey, wipeScratch };

const BUFFER_SIZE = 8192;
const BUFFER: usize = memory.data(BUFFER_SIZE, 16);

export function buffer(): usize {
  return BUFFER;
}

export function bufferSize(): i32 {
  return BUFFER_SIZE;
}

export function hashSha512(out: usize, message: usize, length: i32): void {
  sha512(out, message, length);
  wipeScratch();
}

/** The signature alone, as node:crypto makes it from a key object: the key is expanded, its public key known. */
export function signUnchecked(out: usize, message: usize, length: i32, publicKey: usize): void {
  signExpanded(out, message, length, publicKey);
}
