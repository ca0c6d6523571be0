// Arithmetic modulo p = 2^255 − 19 on ten signed limbs, which have 26 and 25 bits alternately. Limb i has the
// weight 2^ceil(25.5 i). A product of limbs counts 19 times if it wraps around, and twice if both limbs are odd. Operands
// stay i32 and are widened in the product, which a board computes with one 32 × 32 → 64 instruction. Two chains of
// carries alternate, so that a step need not wait for the step before it.
//
// Bounds are multiples of 2^26 for even limbs and of 2^25 for odd limbs. The operands of a product may be up
// to 1.65, and its result is up to 0.51. So a sum or difference of up to three results can be multiplied
// without a carry before.

/** out = a · b */
export function multiplyField(out: usize, a: usize, b: usize): void {
  const a0 = load<i32>(a, 0);
  const a1 = load<i32>(a, 4);
  const a2 = load<i32>(a, 8);
  const a3 = load<i32>(a, 12);
  const a4 = load<i32>(a, 16);
  const a5 = load<i32>(a, 20);
  const a6 = load<i32>(a, 24);
  const a7 = load<i32>(a, 28);
  const a8 = load<i32>(a, 32);
  const a9 = load<i32>(a, 36);
  const b0 = load<i32>(b, 0);
  const b1 = load<i32>(b, 4);
  const b2 = load<i32>(b, 8);
  const b3 = load<i32>(b, 12);
  const b4 = load<i32>(b, 16);
  const b5 = load<i32>(b, 20);
  const b6 = load<i32>(b, 24);
  const b7 = load<i32>(b, 28);
  const b8 = load<i32>(b, 32);
  const b9 = load<i32>(b, 36);
  const b1x19 = 19 * b1;
  const b2x19 = 19 * b2;
  const b3x19 = 19 * b3;
  const b4x19 = 19 * b4;
  const b5x19 = 19 * b5;
  const b6x19 = 19 * b6;
  const b7x19 = 19 * b7;
  const b8x19 = 19 * b8;
  const b9x19 = 19 * b9;
  const a1x2 = 2 * a1;
  const a3x2 = 2 * a3;
  const a5x2 = 2 * a5;
  const a7x2 = 2 * a7;
  const a9x2 = 2 * a9;
  let r0 = <i64>a0 * <i64>b0 + <i64>a1x2 * <i64>b9x19 + <i64>a2 * <i64>b8x19 + <i64>a3x2 * <i64>b7x19 + <i64>a4 * <i64>b6x19 + <i64>a5x2 * <i64>b5x19 + <i64>a6 * <i64>b4x19 + <i64>a7x2 * <i64>b3x19 + <i64>a8 * <i64>b2x19 + <i64>a9x2 * <i64>b1x19;
  let r1 = <i64>a0 * <i64>b1 + <i64>a1 * <i64>b0 + <i64>a2 * <i64>b9x19 + <i64>a3 * <i64>b8x19 + <i64>a4 * <i64>b7x19 + <i64>a5 * <i64>b6x19 + <i64>a6 * <i64>b5x19 + <i64>a7 * <i64>b4x19 + <i64>a8 * <i64>b3x19 + <i64>a9 * <i64>b2x19;
  let r2 = <i64>a0 * <i64>b2 + <i64>a1x2 * <i64>b1 + <i64>a2 * <i64>b0 + <i64>a3x2 * <i64>b9x19 + <i64>a4 * <i64>b8x19 + <i64>a5x2 * <i64>b7x19 + <i64>a6 * <i64>b6x19 + <i64>a7x2 * <i64>b5x19 + <i64>a8 * <i64>b4x19 + <i64>a9x2 * <i64>b3x19;
  let r3 = <i64>a0 * <i64>b3 + <i64>a1 * <i64>b2 + <i64>a2 * <i64>b1 + <i64>a3 * <i64>b0 + <i64>a4 * <i64>b9x19 + <i64>a5 * <i64>b8x19 + <i64>a6 * <i64>b7x19 + <i64>a7 * <i64>b6x19 + <i64>a8 * <i64>b5x19 + <i64>a9 * <i64>b4x19;
  let r4 = <i64>a0 * <i64>b4 + <i64>a1x2 * <i64>b3 + <i64>a2 * <i64>b2 + <i64>a3x2 * <i64>b1 + <i64>a4 * <i64>b0 + <i64>a5x2 * <i64>b9x19 + <i64>a6 * <i64>b8x19 + <i64>a7x2 * <i64>b7x19 + <i64>a8 * <i64>b6x19 + <i64>a9x2 * <i64>b5x19;
  let r5 = <i64>a0 * <i64>b5 + <i64>a1 * <i64>b4 + <i64>a2 * <i64>b3 + <i64>a3 * <i64>b2 + <i64>a4 * <i64>b1 + <i64>a5 * <i64>b0 + <i64>a6 * <i64>b9x19 + <i64>a7 * <i64>b8x19 + <i64>a8 * <i64>b7x19 + <i64>a9 * <i64>b6x19;
  let r6 = <i64>a0 * <i64>b6 + <i64>a1x2 * <i64>b5 + <i64>a2 * <i64>b4 + <i64>a3x2 * <i64>b3 + <i64>a4 * <i64>b2 + <i64>a5x2 * <i64>b1 + <i64>a6 * <i64>b0 + <i64>a7x2 * <i64>b9x19 + <i64>a8 * <i64>b8x19 + <i64>a9x2 * <i64>b7x19;
  let r7 = <i64>a0 * <i64>b7 + <i64>a1 * <i64>b6 + <i64>a2 * <i64>b5 + <i64>a3 * <i64>b4 + <i64>a4 * <i64>b3 + <i64>a5 * <i64>b2 + <i64>a6 * <i64>b1 + <i64>a7 * <i64>b0 + <i64>a8 * <i64>b9x19 + <i64>a9 * <i64>b8x19;
  let r8 = <i64>a0 * <i64>b8 + <i64>a1x2 * <i64>b7 + <i64>a2 * <i64>b6 + <i64>a3x2 * <i64>b5 + <i64>a4 * <i64>b4 + <i64>a5x2 * <i64>b3 + <i64>a6 * <i64>b2 + <i64>a7x2 * <i64>b1 + <i64>a8 * <i64>b0 + <i64>a9x2 * <i64>b9x19;
  let r9 = <i64>a0 * <i64>b9 + <i64>a1 * <i64>b8 + <i64>a2 * <i64>b7 + <i64>a3 * <i64>b6 + <i64>a4 * <i64>b5 + <i64>a5 * <i64>b4 + <i64>a6 * <i64>b3 + <i64>a7 * <i64>b2 + <i64>a8 * <i64>b1 + <i64>a9 * <i64>b0;
  let carry: i64;
  carry = (r0 + (1 << 25)) >> 26; r1 += carry; r0 -= carry << 26;
  carry = (r4 + (1 << 25)) >> 26; r5 += carry; r4 -= carry << 26;
  carry = (r1 + (1 << 24)) >> 25; r2 += carry; r1 -= carry << 25;
  carry = (r5 + (1 << 24)) >> 25; r6 += carry; r5 -= carry << 25;
  carry = (r2 + (1 << 25)) >> 26; r3 += carry; r2 -= carry << 26;
  carry = (r6 + (1 << 25)) >> 26; r7 += carry; r6 -= carry << 26;
  carry = (r3 + (1 << 24)) >> 25; r4 += carry; r3 -= carry << 25;
  carry = (r7 + (1 << 24)) >> 25; r8 += carry; r7 -= carry << 25;
  carry = (r4 + (1 << 25)) >> 26; r5 += carry; r4 -= carry << 26;
  carry = (r8 + (1 << 25)) >> 26; r9 += carry; r8 -= carry << 26;
  carry = (r9 + (1 << 24)) >> 25; r0 += 19 * carry; r9 -= carry << 25;
  carry = (r0 + (1 << 25)) >> 26; r1 += carry; r0 -= carry << 26;
  store<i32>(out, <i32>r0, 0);
  store<i32>(out, <i32>r1, 4);
  store<i32>(out, <i32>r2, 8);
  store<i32>(out, <i32>r3, 12);
  store<i32>(out, <i32>r4, 16);
  store<i32>(out, <i32>r5, 20);
  store<i32>(out, <i32>r6, 24);
  store<i32>(out, <i32>r7, 28);
  store<i32>(out, <i32>r8, 32);
  store<i32>(out, <i32>r9, 36);
}

/** out = a², or 2a² if `twice`, which is a constant of each caller. */
@inline
function squareInto(out: usize, a: usize, twice: bool): void {
  const a0 = load<i32>(a, 0);
  const a1 = load<i32>(a, 4);
  const a2 = load<i32>(a, 8);
  const a3 = load<i32>(a, 12);
  const a4 = load<i32>(a, 16);
  const a5 = load<i32>(a, 20);
  const a6 = load<i32>(a, 24);
  const a7 = load<i32>(a, 28);
  const a8 = load<i32>(a, 32);
  const a9 = load<i32>(a, 36);
  const a0x2 = 2 * a0;
  const a1x2 = 2 * a1;
  const a2x2 = 2 * a2;
  const a3x2 = 2 * a3;
  const a4x2 = 2 * a4;
  const a5x2 = 2 * a5;
  const a6x2 = 2 * a6;
  const a7x2 = 2 * a7;
  const a8x2 = 2 * a8;
  const a6x19 = 19 * a6;
  const a8x19 = 19 * a8;
  const a5x38 = 38 * a5;
  const a7x38 = 38 * a7;
  const a9x38 = 38 * a9;
  let r0 = <i64>a0 * <i64>a0 + <i64>a1x2 * <i64>a9x38 + <i64>a2x2 * <i64>a8x19 + <i64>a3x2 * <i64>a7x38 + <i64>a4x2 * <i64>a6x19 + <i64>a5 * <i64>a5x38;
  let r1 = <i64>a0x2 * <i64>a1 + <i64>a2 * <i64>a9x38 + <i64>a3x2 * <i64>a8x19 + <i64>a4 * <i64>a7x38 + <i64>a5x2 * <i64>a6x19;
  let r2 = <i64>a0x2 * <i64>a2 + <i64>a1x2 * <i64>a1 + <i64>a3x2 * <i64>a9x38 + <i64>a4x2 * <i64>a8x19 + <i64>a5x2 * <i64>a7x38 + <i64>a6 * <i64>a6x19;
  let r3 = <i64>a0x2 * <i64>a3 + <i64>a1x2 * <i64>a2 + <i64>a4 * <i64>a9x38 + <i64>a5x2 * <i64>a8x19 + <i64>a6 * <i64>a7x38;
  let r4 = <i64>a0x2 * <i64>a4 + <i64>a1x2 * <i64>a3x2 + <i64>a2 * <i64>a2 + <i64>a5x2 * <i64>a9x38 + <i64>a6x2 * <i64>a8x19 + <i64>a7 * <i64>a7x38;
  let r5 = <i64>a0x2 * <i64>a5 + <i64>a1x2 * <i64>a4 + <i64>a2x2 * <i64>a3 + <i64>a6 * <i64>a9x38 + <i64>a7x2 * <i64>a8x19;
  let r6 = <i64>a0x2 * <i64>a6 + <i64>a1x2 * <i64>a5x2 + <i64>a2x2 * <i64>a4 + <i64>a3x2 * <i64>a3 + <i64>a7x2 * <i64>a9x38 + <i64>a8 * <i64>a8x19;
  let r7 = <i64>a0x2 * <i64>a7 + <i64>a1x2 * <i64>a6 + <i64>a2x2 * <i64>a5 + <i64>a3x2 * <i64>a4 + <i64>a8 * <i64>a9x38;
  let r8 = <i64>a0x2 * <i64>a8 + <i64>a1x2 * <i64>a7x2 + <i64>a2x2 * <i64>a6 + <i64>a3x2 * <i64>a5x2 + <i64>a4 * <i64>a4 + <i64>a9 * <i64>a9x38;
  let r9 = <i64>a0x2 * <i64>a9 + <i64>a1x2 * <i64>a8 + <i64>a2x2 * <i64>a7 + <i64>a3x2 * <i64>a6 + <i64>a4x2 * <i64>a5;
  if (twice) {
    r0 += r0;
    r1 += r1;
    r2 += r2;
    r3 += r3;
    r4 += r4;
    r5 += r5;
    r6 += r6;
    r7 += r7;
    r8 += r8;
    r9 += r9;
  }
  let carry: i64;
  carry = (r0 + (1 << 25)) >> 26; r1 += carry; r0 -= carry << 26;
  carry = (r4 + (1 << 25)) >> 26; r5 += carry; r4 -= carry << 26;
  carry = (r1 + (1 << 24)) >> 25; r2 += carry; r1 -= carry << 25;
  carry = (r5 + (1 << 24)) >> 25; r6 += carry; r5 -= carry << 25;
  carry = (r2 + (1 << 25)) >> 26; r3 += carry; r2 -= carry << 26;
  carry = (r6 + (1 << 25)) >> 26; r7 += carry; r6 -= carry << 26;
  carry = (r3 + (1 << 24)) >> 25; r4 += carry; r3 -= carry << 25;
  carry = (r7 + (1 << 24)) >> 25; r8 += carry; r7 -= carry << 25;
  carry = (r4 + (1 << 25)) >> 26; r5 += carry; r4 -= carry << 26;
  carry = (r8 + (1 << 25)) >> 26; r9 += carry; r8 -= carry << 26;
  carry = (r9 + (1 << 24)) >> 25; r0 += 19 * carry; r9 -= carry << 25;
  carry = (r0 + (1 << 25)) >> 26; r1 += carry; r0 -= carry << 26;
  store<i32>(out, <i32>r0, 0);
  store<i32>(out, <i32>r1, 4);
  store<i32>(out, <i32>r2, 8);
  store<i32>(out, <i32>r3, 12);
  store<i32>(out, <i32>r4, 16);
  store<i32>(out, <i32>r5, 20);
  store<i32>(out, <i32>r6, 24);
  store<i32>(out, <i32>r7, 28);
  store<i32>(out, <i32>r8, 32);
  store<i32>(out, <i32>r9, 36);
}

/** out = a² */
export function squareField(out: usize, a: usize): void {
  squareInto(out, a, false);
}

/** out = 2a² */
export function squareFieldTwice(out: usize, a: usize): void {
  squareInto(out, a, true);
}

/** out = a + b, without carries between limbs */
export function addField(out: usize, a: usize, b: usize): void {
  store<i32>(out, load<i32>(a, 0) + load<i32>(b, 0), 0);
  store<i32>(out, load<i32>(a, 4) + load<i32>(b, 4), 4);
  store<i32>(out, load<i32>(a, 8) + load<i32>(b, 8), 8);
  store<i32>(out, load<i32>(a, 12) + load<i32>(b, 12), 12);
  store<i32>(out, load<i32>(a, 16) + load<i32>(b, 16), 16);
  store<i32>(out, load<i32>(a, 20) + load<i32>(b, 20), 20);
  store<i32>(out, load<i32>(a, 24) + load<i32>(b, 24), 24);
  store<i32>(out, load<i32>(a, 28) + load<i32>(b, 28), 28);
  store<i32>(out, load<i32>(a, 32) + load<i32>(b, 32), 32);
  store<i32>(out, load<i32>(a, 36) + load<i32>(b, 36), 36);
}

/** out = a − b, without carries between limbs */
export function subtractField(out: usize, a: usize, b: usize): void {
  store<i32>(out, load<i32>(a, 0) - load<i32>(b, 0), 0);
  store<i32>(out, load<i32>(a, 4) - load<i32>(b, 4), 4);
  store<i32>(out, load<i32>(a, 8) - load<i32>(b, 8), 8);
  store<i32>(out, load<i32>(a, 12) - load<i32>(b, 12), 12);
  store<i32>(out, load<i32>(a, 16) - load<i32>(b, 16), 16);
  store<i32>(out, load<i32>(a, 20) - load<i32>(b, 20), 20);
  store<i32>(out, load<i32>(a, 24) - load<i32>(b, 24), 24);
  store<i32>(out, load<i32>(a, 28) - load<i32>(b, 28), 28);
  store<i32>(out, load<i32>(a, 32) - load<i32>(b, 32), 32);
  store<i32>(out, load<i32>(a, 36) - load<i32>(b, 36), 36);
}

/** sum = a + b and difference = a − b, without carries. The results may overwrite a or b. */
export function addAndSubtractField(sum: usize, difference: usize, a: usize, b: usize): void {
  const a0 = load<i32>(a, 0);
  const a1 = load<i32>(a, 4);
  const a2 = load<i32>(a, 8);
  const a3 = load<i32>(a, 12);
  const a4 = load<i32>(a, 16);
  const a5 = load<i32>(a, 20);
  const a6 = load<i32>(a, 24);
  const a7 = load<i32>(a, 28);
  const a8 = load<i32>(a, 32);
  const a9 = load<i32>(a, 36);
  const b0 = load<i32>(b, 0);
  const b1 = load<i32>(b, 4);
  const b2 = load<i32>(b, 8);
  const b3 = load<i32>(b, 12);
  const b4 = load<i32>(b, 16);
  const b5 = load<i32>(b, 20);
  const b6 = load<i32>(b, 24);
  const b7 = load<i32>(b, 28);
  const b8 = load<i32>(b, 32);
  const b9 = load<i32>(b, 36);
  store<i32>(sum, a0 + b0, 0);
  store<i32>(sum, a1 + b1, 4);
  store<i32>(sum, a2 + b2, 8);
  store<i32>(sum, a3 + b3, 12);
  store<i32>(sum, a4 + b4, 16);
  store<i32>(sum, a5 + b5, 20);
  store<i32>(sum, a6 + b6, 24);
  store<i32>(sum, a7 + b7, 28);
  store<i32>(sum, a8 + b8, 32);
  store<i32>(sum, a9 + b9, 36);
  store<i32>(difference, a0 - b0, 0);
  store<i32>(difference, a1 - b1, 4);
  store<i32>(difference, a2 - b2, 8);
  store<i32>(difference, a3 - b3, 12);
  store<i32>(difference, a4 - b4, 16);
  store<i32>(difference, a5 - b5, 20);
  store<i32>(difference, a6 - b6, 24);
  store<i32>(difference, a7 - b7, 28);
  store<i32>(difference, a8 - b8, 32);
  store<i32>(difference, a9 - b9, 36);
}

/** Negates `out` if `mask` is −1. Leaves it unchanged if `mask` is 0. */
export function negateFieldIf(out: usize, mask: i32): void {
  store<i32>(out, (load<i32>(out, 0) ^ mask) - mask, 0);
  store<i32>(out, (load<i32>(out, 4) ^ mask) - mask, 4);
  store<i32>(out, (load<i32>(out, 8) ^ mask) - mask, 8);
  store<i32>(out, (load<i32>(out, 12) ^ mask) - mask, 12);
  store<i32>(out, (load<i32>(out, 16) ^ mask) - mask, 16);
  store<i32>(out, (load<i32>(out, 20) ^ mask) - mask, 20);
  store<i32>(out, (load<i32>(out, 24) ^ mask) - mask, 24);
  store<i32>(out, (load<i32>(out, 28) ^ mask) - mask, 28);
  store<i32>(out, (load<i32>(out, 32) ^ mask) - mask, 32);
  store<i32>(out, (load<i32>(out, 36) ^ mask) - mask, 36);
}
