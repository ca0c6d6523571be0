// Multiples of the base point by a signed comb. The scalar is written as 255 digits, each +1 or −1, so an
// entry of the table is added in every step. To select an entry, the whole comb is read and masked.

import { decodeField } from './field';
import {
  ALL_ONES,
  COMB_SPACING,
  COMB_TABLE,
  COMB_TABLE_SUM,
  COMB_TEETH,
  COMBS,
  ORDER,
} from './flat/curve-tables';
import { negateFieldIf } from './flat/field-arithmetic';
import { addEntry, doublePoint, setNeutral } from './point';
import { COMB_DIGITS, COMB_ENTRY, COMB_SUM } from './scratch';

const ENTRIES: i32 = 1 << (COMB_TEETH - 1);
const ENTRY = 96;

/** COMB_SUM = scalar · B, for any scalar below 2^255. */
export function multiplyBase(scalar: usize): void {
  setDigits(scalar);
  setNeutral(COMB_SUM);
  for (let row = COMB_SPACING - 1; row >= 0; row--) {
    if (row < COMB_SPACING - 1) doublePoint(COMB_SUM, true);
    for (let comb = 0; comb < COMBS; comb++) {
      takeEntry(comb, readTeeth(row, comb));
      addEntry(COMB_SUM, COMB_ENTRY, comb < COMBS - 1 || row === 0);
    }
  }
}

/**
 * Returns whether no bit of the table is flipped. A point that is wrong as a nonce's, while the sum with the tweak does
 * not need the flipped entry, would give one nonce two points, and so two tweaks.
 */
export function isTableWhole(): bool {
  let sum: u64 = 0;
  for (let at = 0; at < COMBS * ENTRIES * ENTRY; at += 8) sum += load<u64>(COMB_TABLE + at);
  return sum === COMB_TABLE_SUM;
}

/**
 * Digit n is +1 if bit n of (scalar + 2^255 − 1)/2 mod L is set, and −1 otherwise. To avoid the division,
 * twice that number is stored: scalar + 2^255 − 1, plus L if the sum is odd. So digit n is bit n + 1 of
 * COMB_DIGITS.
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

/** Returns the bits of a comb's digits in one row, with the lowest tooth in bit 0. */
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

/**
 * COMB_ENTRY = the comb's point for these teeth. The table has only the points whose last tooth is +1. If the
 * last tooth is −1, the point of the opposite teeth is read and negated.
 */
function takeEntry(comb: i32, teeth: i32): void {
  const negative = (teeth >> (COMB_TEETH - 1)) - 1;
  const index = (teeth ^ negative) & (ENTRIES - 1);
  const table = COMB_TABLE + ENTRY * ENTRIES * comb;
  takeWords(COMB_ENTRY, table, index);
  takeWords(COMB_ENTRY + 32, table + 32, index);
  takeWords(COMB_ENTRY + 64, table + 64, index);
  // To negate a point, exchange y + x with y − x and negate 2dxy.
  const swap = <u64>(<i64>negative);
  for (let i = 0; i < 32; i += 8) {
    const change = (load<u64>(COMB_ENTRY + i) ^ load<u64>(COMB_ENTRY + i, 32)) & swap;
    store<u64>(COMB_ENTRY + i, load<u64>(COMB_ENTRY + i) ^ change);
    store<u64>(COMB_ENTRY + i, load<u64>(COMB_ENTRY + i, 32) ^ change, 32);
  }
  decodeField(COMB_ENTRY + 80, COMB_ENTRY + 64);
  decodeField(COMB_ENTRY + 40, COMB_ENTRY + 32);
  decodeField(COMB_ENTRY, COMB_ENTRY);
  negateFieldIf(COMB_ENTRY + 80, negative);
}

/** Copies four words of the entry `index`. Reads every entry, so that no address depends on `index`. */
function takeWords(out: usize, table: usize, index: i32): void {
  let w0: u64 = 0;
  let w1: u64 = 0;
  let w2: u64 = 0;
  let w3: u64 = 0;
  for (let i = 0; i < ENTRIES; i++) {
    const mask = <i64>(((i ^ index) - 1) >> 31);
    w0 |= load<u64>(table) & mask;
    w1 |= load<u64>(table, 8) & mask;
    w2 |= load<u64>(table, 16) & mask;
    w3 |= load<u64>(table, 24) & mask;
    table += ENTRY;
  }
  store<u64>(out, w0);
  store<u64>(out, w1, 8);
  store<u64>(out, w2, 16);
  store<u64>(out, w3, 24);
}
