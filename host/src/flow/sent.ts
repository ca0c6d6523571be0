import type { ErrorFacts, Sent, Transaction } from '@zbc-signer/chain';
import { WINDOW_SECONDS } from '../clock.js';

/**
 * Whether the chain may have the transaction whose sending failed with this: `no` if no byte of it, signed,
 * has left this host. `maybe` too for what this library does not throw, which says nothing.
 */
export function sentOf(error: unknown): Sent {
  return isTyped(error) ? (error.facts.sent ?? 'no') : 'maybe';
}

/** Of this library, or of another copy of it. */
export function isTyped(error: unknown): error is { code: string; facts: ErrorFacts } {
  const { code, facts } = Object(error) as { code?: unknown; facts?: unknown };
  return typeof code === 'string' && typeof facts === 'object' && facts !== null;
}

/**
 * The first Unix second, by the chain's clock, at which no node accepts the signed transaction any more. One
 * that a node took before may still be confirmed then: look the hash up before paying again.
 */
export function safeAfter({ timestamp }: Pick<Transaction, 'timestamp'>): bigint {
  return timestamp + WINDOW_SECONDS + 1n;
}

/** What this program has signed and neither begun to submit nor written out, so that nobody else has it. */
const UNSUBMITTED = new WeakSet<object>();

export function noteUnsubmitted(signed: object): void {
  UNSUBMITTED.add(signed);
}

/** True the first time, of what was signed here. */
export function takeUnsubmitted(signed: object): boolean {
  return UNSUBMITTED.delete(signed);
}
