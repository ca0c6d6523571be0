import { getPublicKey, hashes, Point, sign as signMessage } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { HASH_LENGTH, PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import { invalidInputError } from './error.js';
import { toHex } from './hex.js';
import { GROUP_ORDER, scalarOf } from './scalar.js';

hashes.sha512 = sha512;

/** Returns the 32-byte Ed25519 public key. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return getPublicKey(privateKey);
}

/** Returns the 64-byte pure Ed25519 signature (RFC 8032) over a message of any length. */
export function sign(message: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return signMessage(message, privateKey);
}

/** Like `sign`, but only for a 32-byte digest such as that of `signingDigest`. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  if (digest.length !== HASH_LENGTH) {
    throw invalidInputError(`a digest is ${HASH_LENGTH} bytes, not ${digest.length}`);
  }
  return sign(digest, privateKey);
}

/**
 * Returns whether the signature verifies as OpenSSL and the nodes verify it: R and the key are canonical, S is
 * below the order of the group, and S·B = R + k·A without the cofactor, so that R has no part of small order.
 * False for wrong lengths, invalid points and keys of small order.
 */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_LENGTH || publicKey.length !== PUBLIC_KEY_LENGTH) return false;
  const encodedR = signature.subarray(0, SIGNATURE_LENGTH / 2);
  const s = scalarOf(signature.subarray(SIGNATURE_LENGTH / 2));
  const k = scalarOf(sha512(concatBytes(encodedR, publicKey, message))) % GROUP_ORDER;
  try {
    const key = Point.fromBytes(publicKey);
    if (key.isSmallOrder()) return false;
    // A scalar of the order of the group or above is refused.
    const nonce = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k));
    return toHex(nonce.toBytes()) === toHex(encodedR);
  } catch {
    return false;
  }
}
