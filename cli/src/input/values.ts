import { fromHex, isWebOrigin, MAX_U64, parseJson } from '@zbc-signer/chain';
import { HASH_LENGTH, MAX_ACCOUNT_INDEX } from '@zbc-signer/protocol/limits';
import { UsageError } from '../errors/errors.js';

const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const MAX_PORT = 65_535;

// Every function below throws UsageError with the name of the option or argument.

export function parseAccountIndex(text: string | undefined): number {
  return parseWhole('--account', text ?? '0', MAX_ACCOUNT_INDEX);
}

export function parsePort(option: string, text: string): number {
  return parseWhole(option, text, MAX_PORT);
}

export function parseWhole(option: string, text: string, maximum: number, minimum = 0): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) < minimum || Number(text) > maximum) {
    throw new UsageError(`${option} must be a whole number from ${minimum} to ${maximum}`);
  }
  return Number(text);
}

/** Parses the origin of a page, an app or a browser extension; a slash may follow it. */
export function parseOrigin(option: string, text: string): string {
  const origin = text.replace(/\/$/, '');
  if (isWebOrigin(origin)) return origin;
  throw new UsageError(`${option} must be an origin such as https://app.example or app://wallet`);
}

/** Parses 64 hex digits in either case, with or without `0x`. */
export function parseHash(option: string, text: string): Uint8Array {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-f]*$/i.test(digits)) throw new UsageError(`${option} must be hexadecimal`);
  if (digits.length !== 2 * HASH_LENGTH) {
    throw new UsageError(`${option} must be ${2 * HASH_LENGTH} hex digits, not ${digits.length}`);
  }
  return fromHex(digits);
}

/** Parses a signed 64-bit id other than 0, which is the id of the coin. */
export function parseTokenId(text: string): bigint {
  const id = parseSigned(text);
  if (id === undefined) {
    throw new UsageError(
      '--token must be a signed 64-bit number such as 1 or -42',
      'Give the id of the token: the route /api/v1/tokens of `zbc-signer get` lists the ids. Write a negative id as --token=-42.',
    );
  }
  if (id === 0n) throw new UsageError('--token 0 is the coin: use the send command');
  return id;
}

function parseSigned(text: string): bigint | undefined {
  const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The height of a block, from 0; `what` is its name in the error. */
export function parseHeight(what: string, text: string): bigint {
  if (!/^\d{1,19}$/.test(text)) throw new UsageError(`${what} must be a whole number`);
  return BigInt(text);
}

/** Parses `90s`, `45m`, `2h`, `3d` or `1w` as seconds. */
function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * UNIT_SECONDS[match[2] as keyof typeof UNIT_SECONDS];
}

export function parseDurationMs(option: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined) throw new UsageError(`${option} must be a duration such as 30s, 5m or 2h`);
  return seconds * 1000;
}

/** Parses a duration from now, an RFC 3339 date and time, or Unix seconds; returns Unix seconds. */
export function parseTime(option: string, text: string, nowMs: number): bigint {
  const duration = parseDuration(text);
  if (duration !== undefined) return BigInt(Math.floor(nowMs / 1000) + duration);
  if (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_U64) return BigInt(text);
  // The offset is required, because otherwise the time would depend on the computer's time zone.
  const isDate = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const dateMs = isDate ? Date.parse(text.toUpperCase().replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(dateMs) || dateMs < 0) {
    throw new UsageError(
      `${option} must be a duration (2h, 3d), a time (2027-01-15T08:00:00Z) or Unix seconds`,
    );
  }
  return BigInt(Math.floor(dateMs / 1000));
}

/** Parses a JSON object, with integers as bigint; errors never quote the text. */
export function parseJsonObject(what: string, text: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    throw new UsageError(`${what} is not JSON`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UsageError(`${what} must be one JSON object`);
  }
  return json as Record<string, unknown>;
}

/** Encodes text as UTF-8. The limit is checked here, before any request to the gateway. */
export function parseText(what: string, text: string, maxBytes: number): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxBytes)
    throw new UsageError(`${what} has ${bytes.length} bytes, but at most ${maxBytes} are allowed`);
  return bytes;
}
