// Pure, deterministic Ed25519 signing from the 32-byte key (RFC 8032 §5.1.5, §5.1.6). The caller must wipe
// the working memory.
import { multiplyBase } from './comb';
import { encodePoint } from './point';
import { addScalar, multiplyScalar, reduceScalar } from './scalar';
import { CHALLENGE, COMB_SUM, EXPANDED_KEY, NONCE } from './scratch';
import { sha512, sha512Final, sha512Init, sha512Update } from './sha512';

/** EXPANDED_KEY = SHA-512 of the key: the clamped scalar (§5.1.5 step 2) and the prefix, 32 bytes each. */
export function expandKey(key: usize): void {
  sha512(EXPANDED_KEY, key, 32);
  store<u8>(EXPANDED_KEY, load<u8>(EXPANDED_KEY) & 248);
  store<u8>(EXPANDED_KEY, (load<u8>(EXPANDED_KEY, 31) & 127) | 64, 31);
}

/** Writes the 32-byte public key of EXPANDED_KEY to `out`. */
export function encodePublicKey(out: usize): void {
  multiplyBase(EXPANDED_KEY);
  encodePoint(out, COMB_SUM);
}

/**
 * Signs with EXPANDED_KEY, which must belong to `key` and `publicKey`. Signatures made with a different
 * public key would reveal the scalar.
 */
export function signExpanded(out: usize, message: usize, length: i32, key: usize, publicKey: usize): void {
  makeNonce(message, length);
  multiplyBase(NONCE);
  encodePoint(out, COMB_SUM);
  hashChallenge(CHALLENGE, out, publicKey, message, length);
  // S = r + h·a mod L. The nonce r is computed a second time from the key. If a fault changed one of the two
  // results, the signature does not verify.
  expandKey(key);
  makeNonce(message, length);
  multiplyScalar(CHALLENGE, EXPANDED_KEY, CHALLENGE);
  addScalar(out + 32, NONCE, CHALLENGE);
}

/** r = SHA-512(prefix, message) mod L at NONCE. */
function makeNonce(message: usize, length: i32): void {
  sha512Init();
  sha512Update(EXPANDED_KEY + 32, 32);
  sha512Update(message, length);
  sha512Final(NONCE);
  reduceScalar(NONCE, NONCE);
}

/** Writes h = SHA-512(R, A, message) mod L to `out`. The function uses 64 bytes there. */
export function hashChallenge(out: usize, r: usize, publicKey: usize, message: usize, length: i32): void {
  sha512Init();
  sha512Update(r, 32);
  sha512Update(publicKey, 32);
  sha512Update(message, length);
  sha512Final(out);
  reduceScalar(out, out);
}
