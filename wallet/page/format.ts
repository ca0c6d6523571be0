import { COIN_DECIMALS, formatUnits } from '@zbc-signer/chain';
import type { Token } from '@zbc-signer/host';

const COIN = 0n;
/** The last second that JavaScript's dates can represent. */
const LAST_SECOND = 8_640_000_000_000n;
/** The most decimal places that every browser can format. */
const MAX_DIGITS = 20;

/** The end of an address, such as `…2QK4`, to show after the name of an account. */
export const tailOf = (address: string): string => `…${address.slice(-4)}`;

/** Shortens an address to `ZBC_7VCHJHXE…2QK4`, to distinguish accounts. Not for comparing addresses. */
export function shorten(address: string): string {
  return address.length <= 24 ? address : `${address.slice(0, 12)}…${address.slice(-4)}`;
}

/** Formats the time of day with seconds. */
export function formatClock(time: Date): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(time);
}

/**
 * Formats Unix seconds in the browser's time zone. If JavaScript cannot represent the date, returns the
 * number.
 */
export function formatMoment(seconds: bigint, style: Intl.DateTimeFormatOptions): string {
  if (seconds > LAST_SECOND) return `${seconds}`;
  return new Intl.DateTimeFormat(undefined, style).format(Number(seconds) * 1000);
}

/**
 * The symbol of a token, such as `AMBER`. `token 7` for a token without one, or with one that looks like the coin or,
 * after an amount, like more digits.
 */
export function tokenName({ symbol = '', id }: Pick<Token, 'symbol' | 'id'>): string {
  return /^(?!zbc$)[a-z]/i.test(symbol) ? symbol : `token ${id}`;
}

/** The id of a token in a list, in which a long one has only its end. */
export const shortId = (id: bigint): string => `${id}`.replace(/^(-?)\d{5,}(?=\d{4}$)/, '$1…');

/**
 * Formats an amount: `1.5 ZBC`, or `2.5 AMBER` and `token 1`. If the chain does not list the token, the
 * amount is in atomic units.
 */
export function amountParts(
  tokenId: bigint,
  atoms: bigint,
  tokens: readonly Token[],
): [amount: string, token?: string] {
  if (tokenId === COIN) return [localCoins(atoms)];
  const token = tokens.find(({ id }) => id === tokenId);
  if (token === undefined) return [`${atoms} atomic units`, `token ${tokenId}`];
  return [`${localUnits(atoms, token.decimals)} ${tokenName(token)}`, `token ${tokenId}`];
}

/** Like `amountParts`, but returns one text: `2.5 AMBER (token 1)`. */
export function formatAmount(tokenId: bigint, atoms: bigint, tokens: readonly Token[]): string {
  const [amount, token] = amountParts(tokenId, atoms, tokens);
  return token === undefined ? amount : `${amount} (${token})`;
}

/** Formats a share as a percentage in the browser's language, such as `1.7 %`. */
export function formatShare(share: number): string {
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 }).format(share);
}

/** Formats an amount exactly, in the browser's language. */
export function localUnits(atoms: bigint, decimals: number): string {
  const text = formatUnits(atoms, decimals);
  if (decimals > MAX_DIGITS) return text;
  return new Intl.NumberFormat(undefined, { maximumFractionDigits: MAX_DIGITS }).format(text as `${number}`);
}

export function localCoins(atoms: bigint): string {
  return `${localUnits(atoms, COIN_DECIMALS)} ZBC`;
}

/** Replaces a decimal comma by a point, as on the device, if the browser's language uses a comma. */
export function withPoint(text: string): string {
  const isComma = new Intl.NumberFormat().format(0.5).includes(',');
  return isComma ? text.replace(/^(\d+),(\d+)$/, '$1.$2') : text;
}
