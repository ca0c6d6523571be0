import type { ZbcSignerError } from './error.js';
import { REMEDIES } from './generated/remedies.js';

/** What the user can do about the error, as a sentence: its own hint, or else the remedy of its code. */
export function remedyOf({ code, hint }: Pick<ZbcSignerError, 'code' | 'hint'>): string {
  return hint ?? REMEDIES[code];
}
