/** 1 coin is 10^8 atomic units. */
export const COIN_DECIMALS = 8;
export const MAX_U64 = 2n ** 64n - 1n;
export const MAX_I64 = 2n ** 63n - 1n;
const MAX_TEXT = 60;

export type AmountErrorCode = 'format' | 'decimals' | 'range';

/** A text that is not an amount. */
export class AmountError extends Error {
  override readonly name = 'AmountError';
  constructor(
    readonly code: AmountErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * `'1.5'` with 8 decimals is 150000000n. Throws AmountError for more decimals, or more than `maximum` atomic
 * units.
 */
export function parseUnits(text: string, decimals: number, maximum = MAX_U64): bigint {
  const match = text.length <= MAX_TEXT ? /^(\d+)(?:\.(\d+))?$/.exec(text) : null;
  if (match === null) {
    throw new AmountError('format', 'an amount is a decimal number such as 1.5');
  }
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) {
    throw new AmountError(
      'decimals',
      `the amount has ${fraction.length} decimals, the maximum is ${decimals}`,
    );
  }
  const atoms = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (atoms > maximum) {
    throw new AmountError('range', `the amount is above the maximum ${formatUnits(maximum, decimals)}`);
  }
  return atoms;
}

/** 150000000n with 8 decimals is `'1.5'`: exact, without trailing zeros. */
export function formatUnits(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return sign + digits.slice(0, point) + (fraction === '' ? '' : `.${fraction}`);
}

/** Coins to atomic units, at most 2^64 - 1; throws AmountError. */
export function parseCoins(text: string): bigint {
  return parseUnits(text, COIN_DECIMALS);
}

/** Atomic units to coins, without the symbol. */
export function formatCoins(atoms: bigint): string {
  return formatUnits(atoms, COIN_DECIMALS);
}
