// Verifies images for a loader, with the Ed25519 verification and the SHA-256 of the firmware. It is a
// separate module, because it runs before the firmware, and an update replaces the firmware but not the
// loader.
import { verify } from '../assembly/crypto/crypto';
import { sha256Final, sha256Init, sha256Update } from '../assembly/crypto/sha256';

const BUFFER_SIZE = 1024;
const DIGEST = 32;
const SIGNATURE_AT = DIGEST;
const KEY_AT = SIGNATURE_AT + 64;

const io: usize = memory.data(BUFFER_SIZE, 8);

/** Returns the address of a buffer of 1024 bytes, for data to hash, and for the digest and the signature. */
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

/** Ends the hash, and writes the digest of 32 bytes to the buffer. */
export function end_digest(): void {
  sha256Final(io);
}

/**
 * Returns 1 if the Ed25519 signature in the buffer is valid, otherwise 0. The buffer must have the digest of
 * 32 bytes, the signature of 64 bytes, and the public key of 32 bytes.
 */
export function signature_is_right(): i32 {
  return verify(io + SIGNATURE_AT, io, DIGEST, io + KEY_AT) ? 1 : 0;
}
