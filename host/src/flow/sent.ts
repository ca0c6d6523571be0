import type { ErrorFacts, Sent, Transaction } from '@zbc-signer/chain';
import { WINDOW_SECONDS } from '../clock.js';

/**
 * Whether the chain may have the transaction whose sending failed with this error. `no` means that no byte of
 * the signed transaction has left this host. An error that is not a ZbcSignerError proves nothing, so the
 * result is `maybe`.
 */
export function sentOf(error: unknown): Sent {
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
 * program has them.
 */
const UNSUBMITTED = new WeakSet<object>();

export function noteUnsubmitted(signed: object): void {
  UNSUBMITTED.add(signed);
}

/** Removes a transaction from UNSUBMITTED. Returns whether the set had it. */
export function takeUnsubmitted(signed: object): boolean {
  return UNSUBMITTED.delete(signed);
}
