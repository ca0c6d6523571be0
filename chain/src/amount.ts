import { invalidInputError, requireString, ZbcSignerError } from './error.js';

/** 1 coin is 10^8 atomic units. */
export const COIN_DECIMALS = 8;
/** 2^64 - 1: the largest amount of coins, in atomic units. */
export const MAX_U64 = 2n ** 64n - 1n;
/** 2^63 - 1: the largest amount of a token, in atomic units. */
export const MAX_I64 = 2n ** 63n - 1n;
const MAX_TEXT = 60;
/** No chain uses this many decimals. */
const MAX_DECIMALS = 99;

/**
 * Parses an amount: `'1.5'` with 8 decimals is 150000000n. Throws `AMOUNT_FORMAT`, `AMOUNT_DECIMALS` for more
 * decimals than `decimals`, `AMOUNT_RANGE` for more than `maximum` atomic units, or `INVALID_INPUT` for
 * arguments of another type.
 */
export function parseUnits(text: string, decimals: number, maximum = MAX_U64): bigint {
  requireString('amount', text);
  checkDecimals(decimals);
  const match = text.length <= MAX_TEXT ? /^(\d+)(?:\.(\d+))?$/.exec(text) : null;
  if (match === null) throw new ZbcSignerError('AMOUNT_FORMAT', 'an amount is a decimal number such as 1.5');
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) {
    throw new ZbcSignerError(
      'AMOUNT_DECIMALS',
      `the amount has ${fraction.length} decimals, the maximum is ${decimals}`,
    );
  }
  const atoms = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (atoms > maximum) {
    throw new ZbcSignerError(
      'AMOUNT_RANGE',
      `the amount is above the maximum ${formatUnits(maximum, decimals)}`,
    );
  }
  return atoms;
}

/**
 * Formats an amount exactly, without trailing zeros: 150000000n with 8 decimals is `'1.5'`. Throws
 * `INVALID_INPUT` for arguments of another type.
 */
export function formatUnits(value: bigint, decimals: number): string {
  checkDecimals(decimals);
  if (typeof value !== 'bigint') throw invalidInputError('an amount must be a bigint of atomic units');
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return sign + digits.slice(0, point) + (fraction === '' ? '' : `.${fraction}`);
}

/** Converts coins to atomic units, at most 2^64 - 1; throws `AMOUNT_…`. */
export function parseCoins(text: string): bigint {
  return parseUnits(text, COIN_DECIMALS);
}

/** Converts atomic units to coins, without the symbol. */
export function formatCoins(atoms: bigint): string {
  return formatUnits(atoms, COIN_DECIMALS);
}

/** Formats atomic units as coins, as a signer shows them: `1.5 ZBC`. */
export function formatCoinAmount(atoms: bigint): string {
  return `${formatCoins(atoms)} ZBC`;
}

/** Rejects NaN and undefined, for which an amount would silently not be scaled. */
function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    throw invalidInputError(`decimals must be a whole number from 0 to ${MAX_DECIMALS}`);
  }
}
