import { type BroadcastState, type ErrorFacts, type Transaction, toHex } from '@zbc-signer/chain';
import { copyBytes } from '../bytes.js';
import { WINDOW_SECONDS } from '../clock.js';
import type { SignedTransaction } from './prepared.js';

/**
 * Whether the chain may have the transaction whose sending failed with this error. `no` means that no byte of
 * the signed transaction has left this host. An error that is not a ZbcSignerError proves nothing, so the
 * result is `maybe`.
 */
export function broadcastStateOf(error: unknown): BroadcastState {
  return isTyped(error) ? (error.facts.sent ?? 'no') : 'maybe';
}

/** Whether the error is a ZbcSignerError, possibly of another installed copy of this library. */
export function isTyped(error: unknown): error is { code: string; facts: ErrorFacts } {
  const { code, facts } = Object(error) as { code?: unknown; facts?: unknown };
  return typeof code === 'string' && typeof facts === 'object' && facts !== null;
}

/**
 * The first Unix second, by the chain's clock, at which no node accepts the signed transaction any more. A
 * transaction that a node accepted earlier may still be confirmed then: look the hash up before paying again.
 */
export function safeAfter({ timestamp }: Pick<Transaction, 'timestamp'>): bigint {
  return timestamp + WINDOW_SECONDS + 1n;
}

/**
 * Transactions that this program has signed and neither submitted nor written to a document, so that no other
 * program has them, by hash in hex.
 */
const UNSUBMITTED = new Map<string, WeakSet<object>>();

export function noteUnsubmitted(signed: SignedTransaction): void {
  const hash = toHex(signed.transactionHash);
  UNSUBMITTED.set(hash, (UNSUBMITTED.get(hash) ?? new WeakSet()).add(signed));
}

/**
 * Removes a transaction from UNSUBMITTED, and every copy of it. Returns whether UNSUBMITTED had this object. A
 * copy may be of another program, which may have sent it.
 */
export function takeUnsubmitted(given: object): boolean {
  const { transactionHash } = Object(given) as Partial<SignedTransaction>;
  const hash = toHex(copyBytes(transactionHash) ?? new Uint8Array());
  const isKnown = UNSUBMITTED.get(hash)?.has(Object(given)) ?? false;
  UNSUBMITTED.delete(hash);
  return isKnown;
}
