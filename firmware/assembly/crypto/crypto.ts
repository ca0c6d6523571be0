// The firmware's cryptography, complete: what a device with a secure element replaces. Each function wipes what it
// worked with before it returns; secrets steer no branch, no address and no select. docs/SECURITY.md says what is not claimed.
import { deriveAccount } from './derive';
import { encodePublicKey, expandKey, signExpanded } from './ed25519';
import { computeHmac } from './hmac-sha512';
import { NODE, PUBLIC_KEY, SIGNATURE, wipeScratch } from './scratch';
import { verifySignature } from './verify';

export { sha3_256, sha3Final, sha3Init, sha3Update } from './sha3';
export { wipe } from './wipe';

/** The 32-byte key of m/44'/883'/account' (SLIP-0010) from a 64-byte BIP-39 seed; `account` is below 2^31. */
export function deriveKey(out: usize, seed: usize, account: u32): void {
  deriveAccount(seed, account);
  memory.copy(out, NODE, 32);
  wipeScratch();
}

/** The 32-byte Ed25519 public key of a 32-byte key. */
export function publicKey(out: usize, key: usize): void {
  expandKey(key);
  encodePublicKey(out);
  wipeScratch();
}

/**
 * Ed25519 (RFC 8032, pure). The public key comes from the key itself, and the signature is verified before it leaves:
 * if that fails, `out` is 64 zeros and the answer is false.
 */
export function sign(out: usize, message: usize, length: i32, key: usize): bool {
  expandKey(key);
  encodePublicKey(PUBLIC_KEY);
  signExpanded(SIGNATURE, message, length, PUBLIC_KEY);
  const valid = verifySignature(SIGNATURE, message, length, PUBLIC_KEY);
  if (valid) memory.copy(out, SIGNATURE, 64);
  else memory.fill(out, 0, 64);
  wipeScratch();
  return valid;
}

/** Whether the 64-byte signature is valid by the rules of verify.ts; for public values only. */
export function verify(signature: usize, message: usize, length: i32, publicKey: usize): bool {
  const valid = verifySignature(signature, message, length, publicKey);
  wipeScratch();
  return valid;
}

/** HMAC-SHA512, 64 bytes to `out`. */
export function hmacSha512(out: usize, key: usize, keyLength: i32, message: usize, length: i32): void {
  computeHmac(out, key, keyLength, message, length);
  wipeScratch();
}
