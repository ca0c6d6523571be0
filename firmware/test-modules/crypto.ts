// A module only for tests and measurements. It exports the functions of crypto.ts, internal functions, and a
// buffer.
import { decodePoint } from '../assembly/crypto/decode-point';
import { deriveChild, deriveMaster } from '../assembly/crypto/derive';
import { expandKey, signExpanded } from '../assembly/crypto/ed25519';
import { NODE, VERIFY_POINT, wipeScratch } from '../assembly/crypto/scratch';
import { sha512 } from '../assembly/crypto/sha512';
import { signTweaked } from '../assembly/crypto/tweaked-nonce';

export * from '../assembly/crypto/crypto';
export { deriveChild, deriveMaster, expandKey, signExpanded };

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

/** Signs, but does not verify the signature. The caller supplies the public key. */
export function signUnchecked(out: usize, message: usize, length: i32, key: usize, publicKey: usize): void {
  expandKey(key);
  signExpanded(out, message, length, key, publicKey);
  wipeScratch();
}

/** Like signRevealed of crypto.ts, but does not verify the signature. The caller supplies the public key. */
export function signRevealedUnchecked(
  out: usize,
  message: usize,
  length: i32,
  key: usize,
  publicKey: usize,
  revealed: usize,
  point: usize,
): bool {
  expandKey(key);
  const isCommitted = signTweaked(out, message, length, key, publicKey, revealed, point);
  wipeScratch();
  return isCommitted;
}

/**
 * Returns the address of the key and the chain code, 32 bytes each, that deriveMaster or deriveChild
 * computed.
 */
export function node(): usize {
  return NODE;
}

export function decodesPoint(bytes: usize): bool {
  const decoded = decodePoint(VERIFY_POINT, bytes);
  wipeScratch();
  return decoded;
}
