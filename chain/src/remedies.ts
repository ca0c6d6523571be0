import type { ErrorFacts, ZbcSignerError } from './error.js';
import { type ErrorCode, REMEDIES } from './generated/remedies.js';

const OF_CODES: Readonly<Partial<Record<ErrorCode, string>>> = REMEDIES;

/**
 * What the user can do about the error, in sentences: its own hint, which every error of the emulator has, or
 * else the remedy of its code; and `adviceOf` its facts, if it has any.
 */
export function remedyOf({
  code,
  hint,
  facts = {},
}: Pick<ZbcSignerError, 'code' | 'hint'> & Partial<Pick<ZbcSignerError, 'facts'>>): string {
  return [hint ?? OF_CODES[code] ?? 'Read the message.', adviceOf(facts)].filter(Boolean).join(' ');
}

/**
 * Until when a transaction that the chain may have must not be paid again; undefined for one that was not
 * sent. `lookUp` is a sentence on how to find out.
 */
export function adviceOf(
  { sent = 'no', safeAfter }: ErrorFacts,
  lookUp = 'Look up the hash, best at another gateway.',
): string | undefined {
  if (sent === 'no') return undefined;
  const time = new Date(Number(safeAfter) * 1000);
  // An invalid time is NaN.
  return time.getTime() > 0
    ? `${lookUp} The chain may accept it until ${formatTime(time)} by its own clock, not by this computer's: do not pay again before, and then only if it does not know the hash.`
    : `${lookUp} Do not pay again before you know what became of it.`;
}

/** As `2027-01-15 08:00:00 UTC`. */
function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace(/T/, ' ')} UTC`;
}
