// Multiples of the base point by a signed comb. The scalar is written with 255 digits that are all +1 or −1, so no
// entry is ever skipped; each entry is taken by reading its whole comb under masks.

import { setFieldWords } from './field';
import { ALL_ONES, COMB_SPACING, COMB_TABLE, COMB_TEETH, COMBS, ORDER } from './generated/curve-tables';
import { negateFieldIf } from './generated/field-arithmetic';
import { addEntry, doublePoint, setNeutral } from './point';
import { COMB_DIGITS, COMB_ENTRY, COMB_SUM } from './scratch';

const ENTRIES: i32 = 1 << (COMB_TEETH - 1);
const ENTRY = 96;

/** COMB_SUM = scalar · B; the scalar is any value below 2^255. */
export function multiplyBase(scalar: usize): void {
  setDigits(scalar);
  setNeutral(COMB_SUM);
  for (let row = COMB_SPACING - 1; row >= 0; row--) {
    if (row < COMB_SPACING - 1) doublePoint(COMB_SUM, true);
    for (let comb = 0; comb < COMBS; comb++) {
      takeEntry(comb, readTeeth(row, comb));
      addEntry(COMB_SUM, COMB_ENTRY, comb < COMBS - 1 || row == 0);
    }
  }
}

/**
 * A digit is +1 where its bit of (scalar + 2^255 − 1)/2 mod L is set, else −1. What is written is the double of that,
 * made even by adding L; so digit n is bit n + 1.
 */
function setDigits(scalar: usize): void {
  const mask = 0 - ((load<u32>(scalar) + load<u32>(ALL_ONES)) & 1);
  let carry: u64 = 0;
  for (let i = 0; i < 32; i += 4) {
    carry += <u64>load<u32>(scalar + i) + load<u32>(ALL_ONES + i) + (load<u32>(ORDER + i) & mask);
    store<u32>(COMB_DIGITS + i, <u32>carry);
    carry >>= 32;
  }
}

/** The bits of a comb's digits in a row, the lowest tooth in bit 0. */
function readTeeth(row: i32, comb: i32): i32 {
  let bits: u32 = 0;
  let position = 1 + row + COMB_SPACING * COMB_TEETH * comb;
  for (let tooth = 0; tooth < COMB_TEETH; tooth++) {
    const word = load<u32>(COMB_DIGITS + ((position >> 3) & ~3));
    bits |= ((word >> (position & 31)) & 1) << tooth;
    position += COMB_SPACING;
  }
  return bits;
}

/** COMB_ENTRY = the comb's point for these teeth. The table has those with the last tooth +1; the others are negated. */
function takeEntry(comb: i32, teeth: i32): void {
  const negative = (teeth >> (COMB_TEETH - 1)) - 1;
  const index = (teeth ^ negative) & (ENTRIES - 1);
  let a0: u64 = 0,
    a1: u64 = 0,
    a2: u64 = 0,
    a3: u64 = 0;
  let b0: u64 = 0,
    b1: u64 = 0,
    b2: u64 = 0,
    b3: u64 = 0;
  let c0: u64 = 0,
    c1: u64 = 0,
    c2: u64 = 0,
    c3: u64 = 0;
  let entry = COMB_TABLE + ENTRY * ENTRIES * comb;
  for (let i = 0; i < ENTRIES; i++) {
    const mask = <i64>(((i ^ index) - 1) >> 31);
    a0 |= load<u64>(entry) & mask;
    a1 |= load<u64>(entry, 8) & mask;
    a2 |= load<u64>(entry, 16) & mask;
    a3 |= load<u64>(entry, 24) & mask;
    b0 |= load<u64>(entry, 32) & mask;
    b1 |= load<u64>(entry, 40) & mask;
    b2 |= load<u64>(entry, 48) & mask;
    b3 |= load<u64>(entry, 56) & mask;
    c0 |= load<u64>(entry, 64) & mask;
    c1 |= load<u64>(entry, 72) & mask;
    c2 |= load<u64>(entry, 80) & mask;
    c3 |= load<u64>(entry, 88) & mask;
    entry += ENTRY;
  }
  // −P exchanges y + x with y − x and negates 2dxy.
  const swap = <u64>(<i64>negative);
  const d0 = (a0 ^ b0) & swap,
    d1 = (a1 ^ b1) & swap,
    d2 = (a2 ^ b2) & swap,
    d3 = (a3 ^ b3) & swap;
  setFieldWords(COMB_ENTRY, a0 ^ d0, a1 ^ d1, a2 ^ d2, a3 ^ d3);
  setFieldWords(COMB_ENTRY + 40, b0 ^ d0, b1 ^ d1, b2 ^ d2, b3 ^ d3);
  setFieldWords(COMB_ENTRY + 80, c0, c1, c2, c3);
  negateFieldIf(COMB_ENTRY + 80, negative);
}
