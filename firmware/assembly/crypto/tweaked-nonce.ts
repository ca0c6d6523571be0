// Ed25519 signatures to whose nonce the host contributes (docs/APDU.md#signatures-without-hidden-data). The
// nonce is r = r0 + t mod L. The device fixes r0 while it knows only the hash c of the host's random bytes n, and
// the tweak t depends on n. Two signatures with one r0 and two tweaks would reveal the key; therefore r0 is always
// computed from the n that arrives, and never from a stored c. The caller must wipe the working memory.
import { multiplyBase } from './comb';
import { equalBytes } from './decode-point';
import { expandKey, hashChallenge } from './ed25519';
import { encodePoint } from './point';
import { addScalar, multiplyScalar, reduceScalar } from './scalar';
import { CHALLENGE, COMB_SUM, COMMITMENT, EXPANDED_KEY, NONCE, NONCE_POINT, TAG, TWEAK } from './scratch';
import { sha3_256 } from './sha3';
import { sha512Final, sha512Init, sha512Update } from './sha512';

const TAG_LENGTH = 16;
const OWN_PART: u64 = 0;
const TWEAK_PART: u64 = 1;

/**
 * NONCE = r0 = SHA-512(prefix, tag, 0, commitment, message) mod L, and NONCE_POINT = the 32 bytes of R0 = r0·B, with
 * the prefix of EXPANDED_KEY.
 */
export function commitNonce(commitment: usize, message: usize, length: i32): void {
  sha512Init();
  sha512Update(EXPANDED_KEY + 32, 32);
  hashTag(OWN_PART);
  sha512Update(commitment, 32);
  sha512Update(message, length);
  sha512Final(NONCE);
  reduceScalar(NONCE, NONCE);
  multiplyBase(NONCE);
  encodePoint(NONCE_POINT, COMB_SUM);
}

/** NONCE = r0 + t mod L. Returns whether R0 is the 32 bytes at `point`. */
function makeTweakedNonce(message: usize, length: i32, revealed: usize, point: usize): bool {
  sha3_256(COMMITMENT, revealed, 32);
  commitNonce(COMMITMENT, message, length);
  // t = SHA-512(tag, 1, R0, revealed) mod L
  sha512Init();
  hashTag(TWEAK_PART);
  sha512Update(NONCE_POINT, 32);
  sha512Update(revealed, 32);
  sha512Final(TWEAK);
  reduceScalar(TWEAK, TWEAK);
  addScalar(NONCE, NONCE, TWEAK);
  return equalBytes(NONCE_POINT, point);
}

/**
 * Signs with EXPANDED_KEY, which must belong to `key` and `publicKey`, and with the nonce to which the 32 bytes at
 * `revealed` contribute. Returns whether R0 of these bytes is the 32 bytes at `point`; if not, the signature must
 * not be released.
 */
export function signTweaked(
  out: usize,
  message: usize,
  length: i32,
  key: usize,
  publicKey: usize,
  revealed: usize,
  point: usize,
): bool {
  if (!makeTweakedNonce(message, length, revealed, point)) return false;
  multiplyBase(NONCE);
  encodePoint(out, COMB_SUM);
  hashChallenge(CHALLENGE, out, publicKey, message, length);
  // S = r + h·a mod L. The nonce r, with both of its parts, is computed a second time from the key. If a fault
  // changed one of the two results, the signature does not verify.
  expandKey(key);
  const isCommitted = makeTweakedNonce(message, length, revealed, point);
  multiplyScalar(CHALLENGE, EXPANDED_KEY, CHALLENGE);
  addScalar(out + 32, NONCE, CHALLENGE);
  return isCommitted;
}

/**
 * Hashes the byte ff, "ZBC-ANTI-EXFIL" and the number of the part. The tag is in the code and not in memory, where a
 * flipped bit would make two nonces with a known difference.
 */
function hashTag(part: u64): void {
  store<u64>(TAG, 0x544e412d43425aff);
  store<u64>(TAG, 0x004c494658452d49 | (part << 56), 8);
  sha512Update(TAG, TAG_LENGTH);
}
