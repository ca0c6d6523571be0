// The complete cryptography of the firmware. A device with a secure element replaces this module. Each
// function wipes its working memory before it returns. No branch, address or select instruction depends on a
// secret; docs/THREATS.md#limits-of-the-claims lists the limits of this claim.

import { isTableWhole } from './comb';
import { computeContactHmac } from './contact-key';
import { equalBytes } from './decode-point';
import { deriveAccount } from './derive';
import { encodePublicKey, expandKey, signExpanded } from './ed25519';
import { computeHmac } from './hmac-sha512';
import { NODE, NONCE_POINT, PUBLIC_KEY, SIGNATURE, wipeScratch } from './scratch';
import { commitNonce, signTweaked } from './tweaked-nonce';
import { verifySignature } from './verify';

export { sha3_256, sha3Final, sha3Init, sha3Update } from './sha3';
export { wipe } from './wipe';

/**
 * Derives the 32-byte key of m/44'/883'/account' (SLIP-0010) from a 64-byte BIP-39 seed. `account` is below
 * 2^31.
 */
export function deriveKey(out: usize, seed: usize, account: u32): void {
  deriveAccount(seed, account);
  memory.copy(out, NODE, 32);
  wipeScratch();
}

/** Writes the 32-byte Ed25519 public key of a 32-byte private key to `out`. */
export function publicKey(out: usize, key: usize): void {
  expandKey(key);
  encodePublicKey(out);
  wipeScratch();
}

// The outcomes of `sign`, `commit` and `signRevealed`. They differ in many bits, so that a flipped bit does not turn one into another.
export const SIGNED: u32 = 0x5a96c33c;
export const WRONG_KEY: u32 = 0xa5963cc3;
export const NOT_VERIFIED: u32 = 0x66aaf00f;
export const NOT_COMMITTED: u32 = 0x99550ff0;

/**
 * Signs with pure Ed25519 (RFC 8032) and writes the 64-byte signature to `out`. The public key that is hashed
 * is computed from `key`. If it differs from `expected`, the outcome is WRONG_KEY. The signature is verified
 * before it is returned. Unless the outcome is SIGNED, `out` is 64 zeros.
 */
export function sign(out: usize, message: usize, length: i32, key: usize, expected: usize): u32 {
  if (!isKeyOf(expected, key)) return withhold(out, WRONG_KEY);
  signExpanded(SIGNATURE, message, length, key, PUBLIC_KEY);
  return release(out, message, length, expected);
}

/**
 * Fixes the device's part of a nonce for a commitment and a message, and writes its point, 32 bytes, to `out`. Unless
 * the outcome is SIGNED, `out` is 64 zeros, and the outcome is WRONG_KEY, as of `sign`.
 */
export function commit(
  out: usize,
  commitment: usize,
  message: usize,
  length: i32,
  key: usize,
  expected: usize,
): u32 {
  if (!isKeyOf(expected, key)) return withhold(out, WRONG_KEY);
  commitNonce(commitment, message, length);
  memory.copy(out, NONCE_POINT, 32);
  if (!isTableWhole()) unreachable();
  wipeScratch();
  return SIGNED;
}

/**
 * Signs like `sign`, with a nonce to which the 32 bytes at `revealed` contribute. The outcome is NOT_COMMITTED if
 * `commit` does not give the 32 bytes at `point` for the hash of these bytes.
 */
export function signRevealed(
  out: usize,
  message: usize,
  length: i32,
  key: usize,
  expected: usize,
  revealed: usize,
  point: usize,
): u32 {
  if (!isKeyOf(expected, key)) return withhold(out, WRONG_KEY);
  const isMade = signTweaked(SIGNATURE, message, length, key, PUBLIC_KEY, revealed, point);
  return isMade ? release(out, message, length, expected) : withhold(out, NOT_COMMITTED);
}

/** Expands the key, and computes PUBLIC_KEY from it. Returns whether that is `expected`. */
function isKeyOf(expected: usize, key: usize): bool {
  expandKey(key);
  encodePublicKey(PUBLIC_KEY);
  return equalBytes(PUBLIC_KEY, expected);
}

/** Verifies SIGNATURE, and writes it to `out`. Returns the outcome. */
function release(out: usize, message: usize, length: i32, expected: usize): u32 {
  if (!verifySignature(SIGNATURE, message, length, expected)) return withhold(out, NOT_VERIFIED);
  memory.copy(out, SIGNATURE, 64);
  wipeScratch();
  return SIGNED;
}

function withhold(out: usize, outcome: u32): u32 {
  memory.fill(out, 0, 64);
  wipeScratch();
  return outcome;
}

/**
 * Returns whether the 64-byte signature is valid by the rules of verify.ts. All arguments must be public
 * values.
 */
export function verify(signature: usize, message: usize, length: i32, publicKey: usize): bool {
  const valid = verifySignature(signature, message, length, publicKey);
  wipeScratch();
  return valid;
}

/** Writes the 32-byte proof of a contact's message under a 64-byte BIP-39 seed to `out`. */
export function proveContact(out: usize, seed: usize, message: usize, length: i32): void {
  computeContactHmac(seed, message, length);
  memory.copy(out, NODE, 32);
  wipeScratch();
}

/**
 * Returns whether the 32 bytes at `proof` are the proof of a contact's message. Every proof takes the same
 * path, because the right one is a secret until the user has approved the contact.
 */
export function isContactProof(proof: usize, seed: usize, message: usize, length: i32): bool {
  computeContactHmac(seed, message, length);
  let difference: u64 = 0;
  for (let at = 0; at < 32; at += 8) difference |= load<u64>(NODE + at) ^ load<u64>(proof + at);
  wipeScratch();
  return difference === 0;
}

/** Writes the 64 bytes of HMAC-SHA512 to `out`. */
export function hmacSha512(out: usize, key: usize, keyLength: i32, message: usize, length: i32): void {
  computeHmac(out, key, keyLength, message, length);
  wipeScratch();
}
