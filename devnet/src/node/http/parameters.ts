import { type Account, parseAccount } from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';

/** Parses a `ZBC_` address, or the wire form of an account in hex. Throws RequestError with the reason. */
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

/** Parses 32 bytes in hex of either case. Returns lower case. */
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
    throw new RequestError(400, `${name} must be an integer${min === 0n ? ' that is not negative' : ''}`);
  }
  return BigInt(text);
}

/** Returns the value. If it is undefined, throws the 404 of this kind of node. */
export type RequireFound = <T>(value: T | undefined, what: string) => T;

/** Returns the value. If it is undefined, throws a 404 that names `what`. */
export function requireFound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RequestError(404, `${what} not found`);
  return value;
}

const DEFAULT_LIMIT = 20n;
const MAX_LIMIT = 100n;

/** Parses the maximum length of a list: 20 by default, at most 100. */
export function parseLimit(text: unknown): number {
  const limit = text === undefined ? DEFAULT_LIMIT : parseIntegerParameter('limit', text, 0n);
  return Number(limit < MAX_LIMIT ? limit : MAX_LIMIT);
}
