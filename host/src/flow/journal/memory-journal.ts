import { toHex } from '@zbc-signer/chain';
import type { SignedTransaction } from '../prepared.js';
import {
  isSettled,
  type PaymentEnd,
  type PaymentJournal,
  type PendingPayment,
  paymentKey,
  type Reservation,
  sentAfter,
} from './journal.js';

/** Payments and timestamps are forgotten after a day: nodes reject a timestamp of more than an hour ago. */
const KEPT_SECONDS = 86_400n;

/**
 * A journal that ends with the program: it keeps equal payments distinct, and pays nobody again while an
 * earlier payment may still be accepted, but a program that is killed loses what it was sending.
 */
export class MemoryJournal implements PaymentJournal {
  readonly #taken = new Map<string, Set<bigint>>();
  /** By their hash in hex. */
  readonly #payments = new Map<string, PendingPayment>();

  async signed(payment: SignedTransaction): Promise<void> {
    this.#payments.set(toHex(payment.transactionHash), {
      ...payment,
      sent: sentAfter('unknown', payment),
      isInFlight: true,
    });
  }

  async ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void> {
    const hash = toHex(transactionHash);
    const payment = this.#payments.get(hash);
    if (payment === undefined) return;
    if (isSettled(end)) this.#payments.delete(hash);
    else
      this.#payments.set(hash, {
        ...payment,
        sent: sentAfter(end, payment),
        isInFlight: false,
      });
  }

  async pending(): Promise<readonly PendingPayment[]> {
    return [...this.#payments.values()];
  }

  async reserve(payment: Reservation, others: ReadonlySet<bigint>): Promise<bigint> {
    this.#forget(payment.transaction.timestamp - KEPT_SECONDS);
    const key = paymentKey(payment);
    const taken = this.#taken.get(key) ?? new Set();
    this.#taken.set(key, taken);
    let { timestamp } = payment.transaction;
    while (taken.has(timestamp) || others.has(timestamp)) timestamp += 1n;
    taken.add(timestamp);
    return timestamp;
  }

  async release(payment: Reservation): Promise<void> {
    this.#taken.get(paymentKey(payment))?.delete(payment.transaction.timestamp);
  }

  #forget(oldest: bigint): void {
    for (const [hash, { transaction }] of this.#payments) {
      if (transaction.timestamp < oldest) this.#payments.delete(hash);
    }
    for (const [key, timestamps] of this.#taken) {
      for (const timestamp of timestamps) {
        if (timestamp < oldest) timestamps.delete(timestamp);
      }
      if (timestamps.size === 0) this.#taken.delete(key);
    }
  }
}

/** Of this program, where it names no other journal. */
export const PROCESS_JOURNAL = new MemoryJournal();
