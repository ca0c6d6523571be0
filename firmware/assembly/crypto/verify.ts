// Ed25519 verification (RFC 8032 §5.1.7). Use it only for public values, because its time depends on them. A
// signature is accepted if all of these conditions hold:
// - S is below L.
// - A is the canonical encoding of a point on the curve.
// - R equals the encoding of S·B − h·A byte for byte (the equation without the cofactor).
// - Neither A nor R has small order. Such a signature would not be bound to a key or a nonce.
import { multiplyBase } from './comb';
import { decodePoint, equalBytes } from './decode-point';
import { hashChallenge } from './ed25519';
import { copyField, isZeroField } from './field';
import { negateFieldIf, subtractField } from './flat/field-arithmetic';
import {
  addMultiple,
  doublePoint,
  encodePoint,
  prepareMultiple,
  setNeutral,
  subtractMultiple,
  T,
  Y,
  Z,
} from './point';
import { isBelowOrder } from './scalar';
import {
  COMB_SUM,
  TERM_1,
  VERIFY_BYTES,
  VERIFY_CHALLENGE,
  VERIFY_DIGITS,
  VERIFY_MULTIPLES,
  VERIFY_POINT,
  VERIFY_SUM,
} from './scratch';

const MULTIPLE = 160;
const DIGITS = 256;

/**
 * Returns whether the 64 bytes at `signature` are a valid signature of the message. The caller wipes the
 * memory.
 */
export function verifySignature(signature: usize, message: usize, length: i32, publicKey: usize): bool {
  if (!isBelowOrder(signature + 32)) return false;
  if (!decodePoint(VERIFY_POINT, publicKey)) return false;
  if (hasSmallOrder(VERIFY_POINT)) return false;
  negateFieldIf(VERIFY_POINT, -1);
  negateFieldIf(VERIFY_POINT + T, -1);
  hashChallenge(VERIFY_CHALLENGE, signature, publicKey, message, length);
  multiplyPoint();
  multiplyBase(signature + 32);
  prepareMultiple(VERIFY_MULTIPLES, VERIFY_SUM);
  addMultiple(COMB_SUM, VERIFY_MULTIPLES);
  encodePoint(VERIFY_BYTES, COMB_SUM);
  return equalBytes(VERIFY_BYTES, signature) && !hasSmallOrder(COMB_SUM);
}

/** Returns whether 8 · point is the neutral point, which is the only point with X = 0 and Y = Z. */
function hasSmallOrder(point: usize): bool {
  for (let i = 0; i < MULTIPLE; i += 40) copyField(VERIFY_SUM + i, point + i);
  for (let i = 0; i < 3; i++) doublePoint(VERIFY_SUM, false);
  subtractField(TERM_1, VERIFY_SUM + Y, VERIFY_SUM + Z);
  return isZeroField(VERIFY_SUM) && isZeroField(TERM_1);
}

/**
 * VERIFY_SUM = VERIFY_CHALLENGE · VERIFY_POINT. VERIFY_POINT is overwritten. Each digit of the challenge is 0
 * or an odd number from −15 to 15.
 */
function multiplyPoint(): void {
  setDigits();
  setOddMultiples();
  setNeutral(VERIFY_SUM);
  for (let i = DIGITS - 1; i >= 0; i--) {
    const digit = <i32>load<i8>(VERIFY_DIGITS + i);
    doublePoint(VERIFY_SUM, digit !== 0 || i === 0);
    if (digit > 0) addMultiple(VERIFY_SUM, VERIFY_MULTIPLES + (digit >> 1) * MULTIPLE);
    if (digit < 0) subtractMultiple(VERIFY_SUM, VERIFY_MULTIPLES + (-digit >> 1) * MULTIPLE);
  }
}

/** VERIFY_MULTIPLES = 1, 3, 5 … 15 times VERIFY_POINT */
function setOddMultiples(): void {
  const last = VERIFY_MULTIPLES + 7 * MULTIPLE;
  prepareMultiple(VERIFY_MULTIPLES, VERIFY_POINT);
  for (let i = 0; i < MULTIPLE; i += 40) copyField(VERIFY_SUM + i, VERIFY_POINT + i);
  doublePoint(VERIFY_SUM, true);
  prepareMultiple(last, VERIFY_SUM);
  for (let multiple = VERIFY_MULTIPLES + MULTIPLE; multiple <= last; multiple += MULTIPLE) {
    addMultiple(VERIFY_POINT, last);
    prepareMultiple(multiple, VERIFY_POINT);
  }
}

/**
 * Recodes the challenge. Each odd digit replaces five bits; zeros fill the bits in between. A digit above 15
 * is reduced by 32, and 1 is carried to the next digit.
 */
function setDigits(): void {
  memory.fill(VERIFY_DIGITS, 0, DIGITS);
  memory.fill(VERIFY_CHALLENGE + 32, 0, 8); // the last digits are read from beyond the scalar
  let carry = 0;
  for (let i = 0; i < DIGITS; i++) {
    const bits = <i32>(load<u64>(VERIFY_CHALLENGE + (i >> 3)) >> (i & 7)) & 31;
    if ((bits & 1) === carry) continue;
    const digit = bits + carry;
    carry = digit >> 4;
    store<i8>(VERIFY_DIGITS + i, <i8>(digit - (carry << 5)));
    i += 4;
  }
}
