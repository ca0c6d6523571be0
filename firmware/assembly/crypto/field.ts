// Elements of the field modulo p = 2^255 − 19 (RFC 8032 §5.1.1), 40 bytes each.
// flat/field-arithmetic.ts describes the limbs. No branch and no address depends on a value, except
// in isZeroField, which is only for public values.
import { multiplyField, squareField } from './flat/field-arithmetic';
import { FIELD_BYTES, FIELD_LIMBS, POWER, POWER_11, POWER_ONES, POWER_SQUARED } from './scratch';

export function copyField(out: usize, a: usize): void {
  for (let i = 0; i < 40; i += 8) store<u64>(out + i, load<u64>(a + i));
}

/** out = a small integer */
export function setField(out: usize, value: i32): void {
  memory.fill(out, 0, 40);
  store<i32>(out, value);
}

/** out = 32 little-endian bytes. Bit 255 is ignored. A value of p or more is not reduced. */
export function decodeField(out: usize, bytes: usize): void {
  const w0 = load<u64>(bytes);
  const w1 = load<u64>(bytes, 8);
  const w2 = load<u64>(bytes, 16);
  const w3 = load<u64>(bytes, 24);
  store<i32>(out, <i32>(w0 & 0x3ffffff));
  store<i32>(out, <i32>((w0 >> 26) & 0x1ffffff), 4);
  store<i32>(out, <i32>(((w0 >> 51) | (w1 << 13)) & 0x3ffffff), 8);
  store<i32>(out, <i32>((w1 >> 13) & 0x1ffffff), 12);
  store<i32>(out, <i32>(w1 >> 38), 16);
  store<i32>(out, <i32>(w2 & 0x1ffffff), 20);
  store<i32>(out, <i32>((w2 >> 25) & 0x3ffffff), 24);
  store<i32>(out, <i32>(((w2 >> 51) | (w3 << 13)) & 0x1ffffff), 28);
  store<i32>(out, <i32>((w3 >> 12) & 0x3ffffff), 32);
  store<i32>(out, <i32>((w3 >> 38) & 0x1ffffff), 36);
}

/** Writes the 32 bytes of the representative below p. `a` may be a sum of up to three products. */
export function encodeField(out: usize, a: usize): void {
  // The quotient of a by p equals the quotient of a + 19·a/2^255 by 2^255. The next line estimates 19·a/2^255
  // from the highest limb, and the loop carries this estimate through all limbs. The result is exact.
  let carry = (19 * load<i32>(a, 36) + (1 << 24)) >> 25;
  for (let i = 0; i < 40; i += 8) {
    carry = (load<i32>(a + i) + carry) >> 26;
    carry = (load<i32>(a + i, 4) + carry) >> 25;
  }
  // Subtract quotient · p: add 19 · quotient, and drop the carry out of bit 254.
  carry *= 19;
  for (let i = 0; i < 40; i += 8) {
    carry += load<i32>(a + i);
    store<i32>(FIELD_LIMBS + i, carry & 0x3ffffff);
    carry = (carry >> 26) + load<i32>(a + i, 4);
    store<i32>(FIELD_LIMBS + i, carry & 0x1ffffff, 4);
    carry >>= 25;
  }
  packLimbs(out);
}

/** Writes the 32 bytes of the limbs at FIELD_LIMBS, the inverse of decodeField. */
function packLimbs(out: usize): void {
  store<u64>(out, limb(0) | (limb(1) << 26) | (limb(2) << 51));
  store<u64>(out, (limb(2) >> 13) | (limb(3) << 13) | (limb(4) << 38), 8);
  store<u64>(out, limb(5) | (limb(6) << 25) | (limb(7) << 51), 16);
  store<u64>(out, (limb(7) >> 13) | (limb(8) << 12) | (limb(9) << 38), 24);
}

function limb(index: i32): u64 {
  return load<u32>(FIELD_LIMBS + 4 * index);
}

/** Returns whether a public value is zero. The time depends on the value. */
export function isZeroField(a: usize): bool {
  encodeField(FIELD_BYTES, a);
  let bits: u64 = 0;
  for (let i = 0; i < 32; i += 8) bits |= load<u64>(FIELD_BYTES + i);
  return bits === 0;
}

/** Returns a coordinate's sign: the lowest bit of the representative below p (RFC 8032 §5.1.2). */
export function signOfField(a: usize): u32 {
  encodeField(FIELD_BYTES, a);
  return load<u8>(FIELD_BYTES) & 1;
}

/** out = 1/a, or 0 if a is 0. It is a to the power of p − 2 = (2^250 − 1)·2^5 + 11. */
export function invertField(out: usize, a: usize): void {
  raiseTo250Ones(a);
  appendPower(out, POWER, 5, POWER_11);
}

/** out = a^((p − 5)/8), needed for square roots. The exponent is (2^250 − 1)·2^2 + 1. */
export function raiseForRoot(out: usize, a: usize): void {
  raiseTo250Ones(a);
  appendPower(out, POWER, 2, a);
}

/** POWER = a^(2^250 − 1) and POWER_11 = a^11 */
function raiseTo250Ones(a: usize): void {
  squareField(POWER_11, a);
  squareRepeatedly(POWER, POWER_11, 2);
  multiplyField(POWER, POWER, a); // a^9
  multiplyField(POWER_11, POWER_11, POWER);
  squareField(POWER_ONES, POWER_11);
  multiplyField(POWER, POWER_ONES, POWER); // exponent: 5 ones in binary
  appendPower(POWER_ONES, POWER, 5, POWER); // 10
  appendPower(POWER, POWER_ONES, 10, POWER_ONES); // 20
  appendPower(POWER, POWER, 20, POWER); // 40
  appendPower(POWER_ONES, POWER, 10, POWER_ONES); // 50
  appendPower(POWER, POWER_ONES, 50, POWER_ONES); // 100
  appendPower(POWER, POWER, 100, POWER); // 200
  appendPower(POWER, POWER, 50, POWER_ONES); // 250
}

/** out = a^(2^count) · b, which appends the bits of b's exponent to those of a's */
function appendPower(out: usize, a: usize, count: i32, b: usize): void {
  squareRepeatedly(POWER_SQUARED, a, count);
  multiplyField(out, POWER_SQUARED, b);
}

/** out = a^(2^count), count at least 1 */
function squareRepeatedly(out: usize, a: usize, count: i32): void {
  squareField(out, a);
  for (let i = 1; i < count; i++) squareField(out, out);
}
