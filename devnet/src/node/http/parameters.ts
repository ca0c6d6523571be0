import { type Account, parseAccount } from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';

/** Parses a `ZBC_` address or the wire form in hex; throws RequestError with the reason. */
export function parseAddressParameter(text: unknown): Account {
  if (typeof text !== 'string') {
    throw new RequestError(400, 'address must be a string: a ZBC_ address or 36 bytes of hex');
  }
  try {
    return parseAccount(text);
  } catch (error) {
    throw new RequestError(400, error instanceof Error ? error.message : 'address is not valid');
  }
}

/** Parses 32 bytes of hex in either case; returns lower case. */
export function parseHashParameter(text: unknown): string {
  if (typeof text !== 'string' || !/^[0-9a-f]{64}$/i.test(text)) {
    throw new RequestError(400, 'transaction hash must be 64 hex digits');
  }
  return text.toLowerCase();
}

export const MIN_I64 = -(2n ** 63n);

/** Parses an integer of at most 19 digits, which fits in 64 bits. */
export function parseIntegerParameter(name: string, text: unknown, min: bigint): bigint {
  if (typeof text !== 'string' || !/^-?\d{1,19}$/.test(text) || BigInt(text) < min) {
    throw new RequestError(400, `${name} must be an integer${min === 0n ? ', not negative' : ''}`);
  }
  return BigInt(text);
}

/** Returns the value; throws this kind of node's 404 for undefined. */
export type Finder = <T>(value: T | undefined, what: string) => T;

/** The value; throws a 404 naming `what` for undefined. */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RequestError(404, `${what} not found`);
  return value;
}

const DEFAULT_LIMIT = 20n;
const MAX_LIMIT = 100n;

/** The size of a list: 20 by default, at most 100. */
export function parseLimit(text: unknown): number {
  const limit = text === undefined ? DEFAULT_LIMIT : parseIntegerParameter('limit', text, 0n);
  return Number(limit < MAX_LIMIT ? limit : MAX_LIMIT);
}
