import { Point } from '@noble/ed25519';
import { toHex } from './hex.js';

/** Order of the group of Ed25519. */
export const GROUP_ORDER = Point.CURVE().n;

/** A number from bytes in little-endian order. */
export function scalarOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
}
