import { fromHex, MAX_U64 } from '../../../chain/src/index.js';
import { HASH, MAX_ACCOUNT_INDEX } from '../../../protocol/limits.js';
import { UsageError } from './errors.js';

const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const MAX_PORT = 65_535;

/** What was typed for an option, as the type it stands for; every function throws UsageError naming the option. */
export function parseAccountIndex(text: string | undefined): number {
  return parseWhole('--account', text ?? '0', MAX_ACCOUNT_INDEX);
}

export function parsePort(option: string, text: string): number {
  return parseWhole(option, text, MAX_PORT);
}

export function parseWhole(option: string, text: string, maximum: number): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > maximum) {
    throw new UsageError(`${option} must be a whole number from 0 to ${maximum}`);
  }
  return Number(text);
}

/** 32 bytes of hex, either case, `0x` or not. */
export function parseHash(option: string, text: string): Uint8Array {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-f]*$/i.test(digits)) {
    throw new UsageError(`${option} must be hexadecimal`);
  }
  if (digits.length !== 2 * HASH) {
    throw new UsageError(`${option} must be ${2 * HASH} hex digits, not ${digits.length}`);
  }
  return fromHex(digits);
}

/** A signed 64-bit id other than 0, which stands for the coin. */
export function parseTokenId(text: string): bigint {
  const id = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (id === undefined || BigInt.asIntN(64, id) !== id) {
    throw new UsageError('--token must be a signed 64-bit number such as 1 or -42', 'Write --token=-42');
  }
  if (id === 0n) {
    throw new UsageError('--token 0 is the coin itself: use the send command');
  }
  return id;
}

/** A signed 64-bit id; `what` names it in the error. */
export function parseId(what: string, text: string): bigint {
  const id = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (id === undefined || BigInt.asIntN(64, id) !== id) {
    throw new UsageError(`${what} must be a signed 64-bit number`);
  }
  return id;
}

/** Of a block, from 0; `what` names it in the error. */
export function parseHeight(what: string, text: string): bigint {
  if (!/^\d{1,19}$/.test(text)) {
    throw new UsageError(`${what} must be a whole number`);
  }
  return BigInt(text);
}

/** `90s`, `45m`, `2h`, `3d` or `1w`, in seconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * UNIT_SECONDS[match[2] as keyof typeof UNIT_SECONDS];
}

export function parseDurationMs(option: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined) {
    throw new UsageError(`${option} must be a duration such as 30s, 5m or 2h`);
  }
  return seconds * 1000;
}

/** In Unix seconds: a duration from now, an RFC 3339 date and time, or the seconds themselves. */
export function parseTime(option: string, text: string, nowMs: number): bigint {
  const duration = parseDuration(text);
  if (duration !== undefined) {
    return BigInt(Math.floor(nowMs / 1000) + duration);
  }
  if (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_U64) {
    return BigInt(text);
  }
  // Without an offset the meaning would depend on where the computer stands.
  const isDate = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const dateMs = isDate ? Date.parse(text.toUpperCase().replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(dateMs) || dateMs < 0) {
    throw new UsageError(
      `${option} must be a duration (2h, 3d), a time (2027-01-15T08:00:00Z) or Unix seconds`,
    );
  }
  return BigInt(Math.floor(dateMs / 1000));
}
