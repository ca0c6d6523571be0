import type { Account } from '@zbc-signer/chain';
import type { ReviewItem } from '@zbc-signer/host';
import { expectedOutcome } from '#emulator/arbitrary/signing-case.js';
import type { Upload } from '../case/upload.js';

/**
 * A refusal of a signer: the name of its status word, the row of the wire format, the offset and the reason,
 * as docs/APDU.md lists them.
 */
export interface Refusal {
  status: string;
  field: number;
  offset: number;
  reason: string;
}

/** A signer either shows the transaction or refuses it. */
export type Verdict = { shown: ReviewItem[] } | { refused: Refusal };

/** Describes a verdict in one line; equal lines mean equal verdicts. */
export function describeVerdict(verdict: Verdict): string {
  if ('shown' in verdict) return `shows ${JSON.stringify(verdict.shown)}`;
  const { status, field, offset, reason } = verdict.refused;
  return `refuses ${status} field ${field} offset ${offset} ${reason}`;
}

/** Returns the verdict that a signer with this account must give, according to chain/'s decoder. */
export function chainVerdict({ transaction, linked, ...rest }: Upload, own: Account): Verdict {
  const outcome = expectedOutcome(rest, transaction, linked, own);
  if ('refusal' in outcome) return { refused: outcome.refusal };
  // On the screen, a line break looks like a line feed.
  return { shown: outcome.review.map(([title, value]) => [title, value.replaceAll('\n', '')]) };
}
