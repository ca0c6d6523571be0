import { toHex } from '@zbc-signer/chain';
import { elapsedMs, SYSTEM_CLOCK } from '../../clock.js';
import type { SignedTransaction } from '../prepared.js';
import {
  isSettled,
  keptSent,
  type PaymentEnd,
  type PaymentJournal,
  type PendingPayment,
  paymentKey,
  type Reservation,
  sentAfter,
} from './journal.js';

/**
 * An entry is forgotten once no node can accept it: an hour after its timestamp, which may be an hour ahead.
 */
const KEPT_MS = 7_320_000;

interface Entry {
  payment: PendingPayment;
  /** Number of calls of `signed` that were not withdrawn. */
  calls: number;
  /** Time of the monotonic clock when it was kept. */
  keptMs: number;
}

/**
 * A journal that lasts as long as the program: it keeps equal payments distinct, and pays nobody again while
 * an earlier payment may still be accepted, but a killed program loses its pending payments.
 */
export class MemoryJournal implements PaymentJournal {
  /** When each timestamp of equal payments was reserved, by the monotonic clock. */
  readonly #taken = new Map<string, Map<bigint, number>>();
  /** Entries by hash in hex. */
  readonly #payments = new Map<string, Entry>();

  async signed(payment: SignedTransaction): Promise<void> {
    const hash = toHex(payment.transactionHash);
    const entry = this.#payments.get(hash);
    const { sent, isHeld = false }: PendingPayment = entry?.payment ?? payment;
    this.#payments.set(hash, {
      payment: { ...structuredClone(payment), sent: keptSent(sent), isInFlight: true, isHeld },
      calls: (entry?.calls ?? 0) + 1,
      keptMs: nowMs(),
    });
  }

  async takeOver(payment: SignedTransaction): Promise<boolean> {
    const isFound = this.#payments.has(toHex(payment.transactionHash));
    if (isFound) await this.signed(payment);
    return isFound;
  }

  async ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void> {
    const hash = toHex(transactionHash);
    const entry = this.#payments.get(hash);
    if (entry === undefined) return;
    if (end === 'notSent') entry.calls -= 1;
    if (isSettled(end) || entry.calls === 0) this.#payments.delete(hash);
    entry.payment = { ...entry.payment, sent: sentAfter(end, entry.payment), isInFlight: false };
  }

  async pending(): Promise<readonly PendingPayment[]> {
    return [...this.#payments.values()].map(({ payment }) => payment);
  }

  async hold(transactionHash: Uint8Array): Promise<void> {
    const entry = this.#payments.get(toHex(transactionHash));
    if (entry !== undefined) entry.payment = { ...entry.payment, isHeld: true };
  }

  async reserve(payment: Reservation, others: ReadonlySet<bigint>): Promise<bigint> {
    this.#forget(nowMs() - KEPT_MS);
    const key = paymentKey(payment);
    const taken = this.#taken.get(key) ?? new Map();
    this.#taken.set(key, taken);
    let { timestamp } = payment.transaction;
    while (taken.has(timestamp) || others.has(timestamp)) timestamp += 1n;
    taken.set(timestamp, nowMs());
    return timestamp;
  }

  async release(payment: Reservation): Promise<void> {
    this.#taken.get(paymentKey(payment))?.delete(payment.transaction.timestamp);
  }

  #forget(oldestMs: number): void {
    for (const [hash, { keptMs }] of this.#payments) {
      if (keptMs < oldestMs) this.#payments.delete(hash);
    }
    for (const [key, timestamps] of this.#taken) {
      for (const [timestamp, takenMs] of timestamps) {
        if (takenMs < oldestMs) timestamps.delete(timestamp);
      }
      if (timestamps.size === 0) this.#taken.delete(key);
    }
  }
}

function nowMs(): number {
  return elapsedMs(SYSTEM_CLOCK);
}

/** The journal of a program that names none. */
export const PROCESS_JOURNAL = new MemoryJournal();
