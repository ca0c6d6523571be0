// Verifies images for a loader, with the firmware's own Ed25519 verification and SHA-256. It is a separate
// module, because it starts before the firmware and outlives it.
import { verify } from '../assembly/crypto/crypto';
import { sha256Final, sha256Init, sha256Update } from '../assembly/crypto/sha256';

const BUFFER_SIZE = 1024;
const DIGEST = 32;
const SIGNATURE_AT = DIGEST;
const KEY_AT = SIGNATURE_AT + 64;

const io: usize = memory.data(BUFFER_SIZE, 8);

/** The address where 1024 bytes are written, and a digest is read. */
export function buffer(): usize {
  return io;
}

export function begin_digest(): void {
  sha256Init();
}

/** Hashes the first `length` bytes of the buffer, at most 1024. */
export function add_to_digest(length: i32): void {
  sha256Update(io, min(length, BUFFER_SIZE));
}

/** Writes the digest of 32 bytes to the buffer. */
export function end_digest(): void {
  sha256Final(io);
}

/**
 * Whether the buffer holds a digest of 32 bytes, its Ed25519 signature, and the key of 32 bytes that made
 * it.
 */
export function signature_is_right(): i32 {
  return verify(io + SIGNATURE_AT, io, DIGEST, io + KEY_AT) ? 1 : 0;
}
