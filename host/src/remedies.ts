import {
  type ErrorFacts,
  formatTime,
  LAST_BLOCK_DELAY_SECONDS,
  type ZbcSignerError,
} from '@zbc-signer/chain';
import { REMEDIES as CHAIN_REMEDIES } from '@zbc-signer/chain/remedies';
import { REMEDIES } from './generated/remedies.js';

const OF_CODES: ReadonlyMap<string, string> = new Map(Object.entries({ ...CHAIN_REMEDIES, ...REMEDIES }));

/**
 * Returns a remedy for the error, in sentences: the error's hint, or otherwise the remedy of its code. If the
 * transaction may have been sent, `adviceOf` follows.
 */
export function remedyOf({
  code,
  hint,
  facts = {},
}: Pick<ZbcSignerError, 'code' | 'hint'> & Partial<Pick<ZbcSignerError, 'facts'>>): string {
  return [hint ?? OF_CODES.get(code) ?? 'Read the message.', adviceOf(facts)].filter(Boolean).join(' ');
}

/**
 * Advice about a transaction that may have been sent: look it up, and do not pay again until two minutes past
 * `safeAfter` (docs/WALLET.md#what-is-known-about-a-payment).
 * Undefined if the transaction was not sent. `lookUp` is the sentence that says how to look it up.
 */
export function adviceOf(
  { sent = 'no', safeAfter }: ErrorFacts,
  lookUp = 'Look up the hash, preferably at another gateway.',
): string | undefined {
  if (sent === 'no') return undefined;
  return /^\d+$/.test(`${safeAfter}`)
    ? `${lookUp} Do not pay again before ${formatTime(BigInt(`${safeAfter}`) + LAST_BLOCK_DELAY_SECONDS)} by the chain's clock, and later only if the chain does not know the hash.`
    : `${lookUp} Do not pay again before you know what became of the transaction.`;
}
