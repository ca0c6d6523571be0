import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { GROUP_ORDER, scalarOf } from './scalar.js';

/** ff and "ZBC-ANTI-EXFIL", then 01 for the tweak (docs/APDU.md#signatures-without-hidden-data). */
const TWEAK_TAG = concatBytes(Uint8Array.of(0xff), utf8ToBytes('ZBC-ANTI-EXFIL'), Uint8Array.of(1));

/** The commitment to random bytes of a host, 32 bytes (docs/APDU.md#signatures-without-hidden-data). */
export function commitmentTo(randomBytes: Uint8Array): Uint8Array {
  return sha3_256(randomBytes);
}

/**
 * Whether a device may give these bytes as the point of its nonce: the canonical encoding of a point of prime order.
 * A part of small order would carry three bits of the device's choice.
 */
export function isNoncePoint(bytes: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(bytes);
    return !point.is0() && point.isTorsionFree();
  } catch {
    return false;
  }
}

/**
 * The first 32 bytes of the signature of a device that adds the host's random bytes to its nonce: R0 + t·B. Throws
 * an Error if R0 is not a point.
 */
export function tweakNoncePoint(noncePoint: Uint8Array, randomBytes: Uint8Array): Uint8Array {
  const tweak = scalarOf(sha512(concatBytes(TWEAK_TAG, noncePoint, randomBytes))) % GROUP_ORDER;
  return Point.fromBytes(noncePoint).add(Point.BASE.multiplyUnsafe(tweak)).toBytes();
}
