import type { ZbcSignerError } from './error.js';
import { type ErrorCode, REMEDIES } from './generated/remedies.js';

const OF_CODES: Readonly<Partial<Record<ErrorCode, string>>> = REMEDIES;

/**
 * What the user can do about the error, as a sentence: its own hint, which every error of the emulator
 * has, or else the remedy of its code.
 */
export function remedyOf({ code, hint }: Pick<ZbcSignerError, 'code' | 'hint'>): string {
  return hint ?? OF_CODES[code] ?? 'Read the message.';
}
