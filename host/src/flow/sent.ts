import type { ErrorFacts, Sent, Transaction } from '@zbc-signer/chain';
import { WINDOW_SECONDS } from '../clock.js';

/**
 * Whether the chain may have the transaction whose sending failed with this error: `no` if no signed byte of
 * it has left this host. `maybe` also for errors that are not this library's, which say nothing.
 */
export function sentOf(error: unknown): Sent {
  return isTyped(error) ? (error.facts.sent ?? 'no') : 'maybe';
}

/** Whether the error is this library's, or another copy's of it. */
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
 * Transactions that this program signed and neither submitted nor wrote to a document, so that nobody else
 * has them.
 */
const UNSUBMITTED = new WeakSet<object>();

export function noteUnsubmitted(signed: object): void {
  UNSUBMITTED.add(signed);
}

/** True at the first call for a transaction that was signed here. */
export function takeUnsubmitted(signed: object): boolean {
  return UNSUBMITTED.delete(signed);
}
