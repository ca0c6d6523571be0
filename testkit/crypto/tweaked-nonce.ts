// Signatures with a nonce to which the host contributes (docs/APDU.md#signatures-without-hidden-data), computed with
// @noble/ed25519 and node:crypto.
import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';
import { sha3 } from './sha3.js';

const TAG = Buffer.concat([Buffer.of(0xff), Buffer.from('ZBC-ANTI-EXFIL')]);
const ORDER = Point.CURVE().n;

const sha512 = (...parts: Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest();
/** A number from bytes in little-endian order. */
export const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
const reduced = (...parts: Uint8Array[]) => numberOf(sha512(...parts)) % ORDER;

/** Returns the clamped scalar and the prefix of a 32-byte key. */
function expanded(key: Uint8Array): [bigint, Buffer] {
  const hash = sha512(key);
  hash[0]! &= 248;
  hash[31] = (hash[31]! & 127) | 64;
  return [numberOf(hash.subarray(0, 32)), hash.subarray(32)];
}

/** Returns r0, the device's part of the nonce, as 32 bytes. */
export const ownNonce = (key: Uint8Array, commitment: Uint8Array, message: Uint8Array): Buffer =>
  bytesOf(reduced(expanded(key)[1], TAG, Buffer.of(0), commitment, message));

const pointOf = (scalar: Uint8Array) => Buffer.from(Point.BASE.multiply(numberOf(scalar)).toBytes());

/** Returns R0, which a signer gives for a commitment and a message, as 32 bytes. */
export const noncePoint = (key: Uint8Array, commitment: Uint8Array, message: Uint8Array): Buffer =>
  pointOf(ownNonce(key, commitment, message));

/** Returns t, the tweak that depends on R0 and the host's random bytes. */
export const tweakOf = (point: Uint8Array, revealed: Uint8Array): bigint =>
  reduced(TAG, Buffer.of(1), point, revealed);

/** Returns the nonce of a signature to which the host's random bytes contribute, as 32 bytes. */
export function revealedNonce(key: Uint8Array, message: Uint8Array, revealed: Uint8Array): Buffer {
  const own = ownNonce(key, sha3(revealed), message);
  return bytesOf((numberOf(own) + tweakOf(pointOf(own), revealed)) % ORDER);
}

/** Returns the signature of a message for the host's random bytes. */
export const signRevealed = (key: Uint8Array, message: Uint8Array, revealed: Uint8Array): Buffer =>
  signWithNonce(key, message, numberOf(revealedNonce(key, message, revealed)));

/** Returns the nonce of RFC 8032 for a message, as 32 bytes. */
export const plainNonce = (key: Uint8Array, message: Uint8Array): Buffer =>
  bytesOf(reduced(expanded(key)[1], message));

/** Returns the signature of a message with any nonce. `part` is added to the nonce's point. */
export function signWithNonce(
  key: Uint8Array,
  message: Uint8Array,
  nonce: bigint,
  part = Point.ZERO,
): Buffer {
  const [scalar] = expanded(key);
  const point = Point.BASE.multiply(nonce % ORDER)
    .add(part)
    .toBytes();
  const challenge = reduced(point, pointOf(bytesOf(scalar % ORDER)), message);
  return Buffer.concat([point, bytesOf((nonce + challenge * scalar) % ORDER)]);
}
