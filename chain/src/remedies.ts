import type { ErrorFacts, ZbcSignerError } from './error.js';
import { type ErrorCode, REMEDIES } from './generated/remedies.js';

const OF_CODES: Readonly<Partial<Record<ErrorCode, string>>> = REMEDIES;

/**
 * A remedy for the error, in sentences: its own hint, otherwise that of its code, followed by `adviceOf` its
 * facts.
 */
export function remedyOf({
  code,
  hint,
  facts = {},
}: Pick<ZbcSignerError, 'code' | 'hint'> & Partial<Pick<ZbcSignerError, 'facts'>>): string {
  return [hint ?? OF_CODES[code] ?? 'Read the message.', adviceOf(facts)].filter(Boolean).join(' ');
}

/**
 * The time before which a possibly sent transaction must not be paid again; undefined if it was not sent.
 * `lookUp` is a sentence on how to find out.
 */
export function adviceOf(
  { sent = 'no', safeAfter }: ErrorFacts,
  lookUp = 'Look up the hash, best at another gateway.',
): string | undefined {
  if (sent === 'no') return undefined;
  const time = new Date(Number(safeAfter) * 1000);
  // The time of an invalid date is NaN.
  return time.getTime() > 0
    ? `${lookUp} The chain may accept it until ${formatTime(time)} by its own clock, not by this computer's: do not pay again before, and then only if it does not know the hash.`
    : `${lookUp} Do not pay again before you know what became of it.`;
}

/** Formats as `2027-01-15 08:00:00 UTC`. */
function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace(/T/, ' ')} UTC`;
}
