import { ADDRESS_LENGTH } from '../../../protocol/src/limits';
import { wipe } from '../crypto/crypto';
import { Account, KIND_ZBC } from '../transaction/account';
import { formatAddress } from './address';
import { Items } from './items';
import { kindName } from './kinds';

/** Decimals of the coin: 1 ZBC = 10^8 atomic units. */
const COIN_DECIMALS = 8;
const DIGITS = 20;

const digits: usize = memory.data(DIGITS);
const address: usize = memory.data(ADDRESS_LENGTH);

/** Appends an ASCII literal. */
export function putText(items: Items, text: string): void {
  for (let i = 0; i < text.length; i++) items.put(text.charCodeAt(i));
}

/** Appends `length` characters from memory. */
export function putCharacters(items: Items, from: usize, length: i32): void {
  for (let i = 0; i < length; i++) items.put(load<u8>(from + i));
}

export function putHex(items: Items, from: usize, length: i32): void {
  for (let i = 0; i < length; i++) {
    const byte: u32 = load<u8>(from + i);
    items.put(hexDigit(byte >> 4));
    items.put(hexDigit(byte & 15));
  }
}

function hexDigit(value: u32): u32 {
  return value < 10 ? 0x30 + value : 0x61 - 10 + value;
}

export function putDecimal(items: Items, value: u64): void {
  const count = setDigits(value);
  putCharacters(items, digits + DIGITS - count, count);
}

export function putSignedDecimal(items: Items, value: i64): void {
  if (value < 0) items.put(0x2d);
  // Negating the smallest value wraps, but gives the right magnitude as u64.
  putDecimal(items, value < 0 ? <u64>0 - <u64>value : <u64>value);
}

/** Appends exactly `width` digits of `value`, with leading zeros. */
export function putPadded(items: Items, value: u32, width: i32): void {
  setDigits(value);
  putCharacters(items, digits + DIGITS - width, width);
}

/** Appends `value` / 10^`decimals`, without trailing zeros. */
export function putScaled(items: Items, value: u64, decimals: i32): void {
  const unit = powerOfTen(decimals);
  putDecimal(items, value / unit);
  putFraction(items, value % unit, decimals);
}

export function putCoins(items: Items, atoms: u64): void {
  putScaled(items, atoms, COIN_DECIMALS);
  putText(items, ' ZBC');
}

/** Appends the sum of three amounts of coins. The sum is exact even if it exceeds 64 bits. */
export function putCoinSum(items: Items, a: u64, b: u64, c: u64): void {
  const unit = powerOfTen(COIN_DECIMALS);
  const fraction = (a % unit) + (b % unit) + (c % unit);
  putDecimal(items, a / unit + b / unit + c / unit + fraction / unit);
  putFraction(items, fraction % unit, COIN_DECIMALS);
  putText(items, ' ZBC');
}

/** Appends the address of a public key. */
export function putAddress(items: Items, publicKey: usize): void {
  formatAddress(address, publicKey);
  putCharacters(items, address, ADDRESS_LENGTH);
  wipe(address, ADDRESS_LENGTH);
}

/**
 * Appends an account. A ZBC account is shown as its address. An account of any other kind is shown as the
 * name of the kind and the payload in hex.
 */
export function putAccount(items: Items, account: Account): void {
  if (account.kind === KIND_ZBC) {
    putAddress(items, account.payload);
    return;
  }
  putText(items, kindName(account.kind));
  items.put(0x20);
  putHex(items, account.payload, account.length);
}

function putFraction(items: Items, fraction: u64, decimals: i32): void {
  if (fraction === 0) return;
  items.put(0x2e);
  setDigits(fraction);
  let last = DIGITS - 1;
  while (load<u8>(digits + last) === 0x30) last--;
  const first = DIGITS - decimals;
  putCharacters(items, digits + first, last - first + 1);
}

function powerOfTen(exponent: i32): u64 {
  let power: u64 = 1;
  for (let i = 0; i < exponent; i++) power *= 10;
  return power;
}

/** Writes all 20 digits of `value` with leading zeros, and returns the number of significant ones. */
function setDigits(value: u64): i32 {
  let count = 1;
  for (let i = DIGITS - 1; i >= 0; i--) {
    const digit = <u32>(value % 10);
    store<u8>(digits + i, 0x30 + digit);
    if (digit !== 0) count = DIGITS - i;
    value /= 10;
  }
  return count;
}
