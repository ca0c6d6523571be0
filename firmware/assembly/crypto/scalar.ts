// Arithmetic modulo the group order L (RFC 8032 §5.1.7), with Montgomery multiplication. A scalar has eight
// little-endian 32-bit words. No branch and no address depends on a value, except in isBelowOrder, which is
// only for public values.
import { MONTGOMERY_FACTOR, ORDER, R_SQUARED } from './flat/curve-tables';
import { SCALAR, SCALAR_SUM } from './scratch';

/**
 * out = the 64 bytes at `wide` mod L, that is low + high · 2^256. The Montgomery factor of the low half,
 * 2^256 mod L, is derived from R_SQUARED and not stored as a second constant. multiplyScalar also uses
 * R_SQUARED, so if a fault changed it, no signature would verify.
 */
export function reduceScalar(out: usize, wide: usize): void {
  memory.fill(SCALAR, 0, 32);
  store<u8>(SCALAR, 1);
  multiplyMontgomery(SCALAR, SCALAR, R_SQUARED);
  multiplyMontgomery(SCALAR, wide, SCALAR);
  multiplyMontgomery(out, wide + 32, R_SQUARED);
  addScalar(out, out, SCALAR);
}

/** out = a · b mod L, where b is below L and a is any 256-bit number. */
export function multiplyScalar(out: usize, a: usize, b: usize): void {
  multiplyMontgomery(SCALAR, b, R_SQUARED);
  multiplyMontgomery(out, a, SCALAR);
}

/** out = a + b mod L, where a and b are below L. */
export function addScalar(out: usize, a: usize, b: usize): void {
  let carry: u64 = 0;
  for (let i = 0; i < 32; i += 4) {
    carry += <u64>load<u32>(a + i) + load<u32>(b + i);
    store<u32>(SCALAR_SUM + i, <u32>carry, 4);
    carry >>= 32;
  }
  subtractOrderOnce(out);
}

/** Returns whether a public value is below L. The time depends on the value. */
export function isBelowOrder(a: usize): bool {
  for (let i = 24; i >= 0; i -= 8) {
    if (load<u64>(a + i) !== load<u64>(ORDER + i)) return load<u64>(a + i) < load<u64>(ORDER + i);
  }
  return false;
}

/**
 * out = a · b / 2^256 mod L, where b is below L and a is any 256-bit number.
 * Each step adds one word of `a` times b, and the multiple of L that makes the lowest word zero. That word is
 * then shifted out. The sum stays below b + L < 2^254, so it fits in eight words.
 */
function multiplyMontgomery(out: usize, a: usize, b: usize): void {
  memory.fill(SCALAR_SUM, 0, 40);
  for (let i = 0; i < 32; i += 4) {
    const word = <u64>load<u32>(a + i);
    const clearing: u32 = (load<u32>(SCALAR_SUM, 4) + <u32>word * load<u32>(b)) * MONTGOMERY_FACTOR;
    let carry: u64 = 0;
    let clearingCarry: u64 = 0;
    for (let j = 0; j < 32; j += 4) {
      carry += load<u32>(SCALAR_SUM + j, 4) + word * load<u32>(b + j);
      clearingCarry += <u64>(<u32>carry) + <u64>clearing * load<u32>(ORDER + j);
      store<u32>(SCALAR_SUM + j, <u32>clearingCarry);
      carry >>= 32;
      clearingCarry >>= 32;
    }
    store<u32>(SCALAR_SUM, <u32>(carry + clearingCarry), 32);
  }
  subtractOrderOnce(out);
}

/** out = the sum at SCALAR_SUM + 4, minus L if the sum is L or more. The sum must be below 2L. */
function subtractOrderOnce(out: usize): void {
  let borrow: i64 = 0;
  for (let i = 0; i < 32; i += 4) {
    borrow += <i64>load<u32>(SCALAR_SUM + i, 4) - <i64>load<u32>(ORDER + i);
    store<u32>(out + i, <u32>borrow);
    borrow >>= 32;
  }
  // borrow is −1 if the sum was below L. In that case L is added back.
  const mask = <u32>borrow;
  let carry: u64 = 0;
  for (let i = 0; i < 32; i += 4) {
    carry += <u64>load<u32>(out + i) + (load<u32>(ORDER + i) & mask);
    store<u32>(out + i, <u32>carry);
    carry >>= 32;
  }
}
