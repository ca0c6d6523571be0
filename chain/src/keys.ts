import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { HASH_LENGTH, PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import { invalidInputError } from './error.js';

ed25519.hashes.sha512 = sha512;

/** Returns the 32-byte Ed25519 public key. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(privateKey);
}

/** Returns the 64-byte pure Ed25519 signature (RFC 8032) over a message of any length. */
export function sign(message: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return ed25519.sign(message, privateKey);
}

/** Like `sign`, but only for a 32-byte digest such as that of `signingDigest`. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  if (digest.length !== HASH_LENGTH) {
    throw invalidInputError(`a digest is ${HASH_LENGTH} bytes, not ${digest.length}`);
  }
  return sign(digest, privateKey);
}

/**
 * Returns whether the signature verifies by the strict rules of RFC 8032; false for wrong lengths and invalid
 * points.
 */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_LENGTH || publicKey.length !== PUBLIC_KEY_LENGTH) return false;
  return ed25519.verify(signature, message, publicKey, { zip215: false });
}
