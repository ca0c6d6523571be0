import { toHex } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { elapsedMs, SYSTEM_CLOCK } from '../../clock.js';
import type { SignedTransaction } from '../prepared.js';
import { copySigned } from '../transaction-copy.js';
import {
  broadcastStateAfter,
  duplicateKey,
  isSettled,
  keptBroadcastState,
  type PaymentEnd,
  type PaymentJournal,
  type PendingPayment,
  type Reservation,
} from './journal.js';

/**
 * Time after which an entry is forgotten. No node accepts a payment an hour after its timestamp, which may be
 * an hour ahead of the clock.
 */
const KEPT_MS = 7_320_000;

interface Entry {
  payment: PendingPayment;
  /** Number of calls of `signed`, less those that ended with `notSent`. */
  calls: number;
  /** Time of the last call of `signed`, by the monotonic clock. */
  keptMs: number;
}

/**
 * A journal in the memory of the program. It gives equal payments different timestamps, and prevents a second
 * payment to a recipient while an earlier one may still be accepted. If the program ends, its pending
 * payments are lost.
 */
export class MemoryJournal implements PaymentJournal {
  /**
   * For each `duplicateKey`, the reserved timestamps, each with the time of its reservation by the monotonic
   * clock.
   */
  readonly #taken = new Map<string, Map<bigint, number>>();
  /** Entries by hash in hex. */
  readonly #payments = new Map<string, Entry>();

  constructor() {
    bindMembers(this);
  }

  async signed(payment: SignedTransaction): Promise<void> {
    const hash = toHex(payment.transactionHash);
    const entry = this.#payments.get(hash);
    const { sent, isHeld = false }: PendingPayment = entry?.payment ?? payment;
    this.#payments.set(hash, {
      payment: { ...copySigned(payment), sent: keptBroadcastState(sent), isInFlight: true, isHeld },
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
    entry.payment = { ...entry.payment, sent: broadcastStateAfter(end, entry.payment), isInFlight: false };
  }

  async pending(): Promise<readonly PendingPayment[]> {
    return [...this.#payments.values()].map(({ payment }) => payment);
  }

  async hold(transactionHash: Uint8Array): Promise<void> {
    const entry = this.#payments.get(toHex(transactionHash));
    if (entry !== undefined) entry.payment = { ...entry.payment, isHeld: true };
  }

  async reserve(payment: Reservation, others: ReadonlySet<bigint>): Promise<bigint> {
    this.forget();
    const key = duplicateKey(payment);
    const taken = this.#taken.get(key) ?? new Map();
    this.#taken.set(key, taken);
    let { timestamp } = payment.transaction;
    while (taken.has(timestamp) || others.has(timestamp)) timestamp += 1n;
    taken.set(timestamp, nowMs());
    return timestamp;
  }

  async release(payment: Reservation): Promise<void> {
    this.#taken.get(duplicateKey(payment))?.delete(payment.transaction.timestamp);
  }

  /** Deletes the payments and reserved timestamps that are older than `KEPT_MS`. */
  protected forget(): void {
    const oldestMs = nowMs() - KEPT_MS;
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

/** It forgets when it is read, because no `resumePayments` settles its payments. */
class ProcessJournal extends MemoryJournal {
  override async pending(): Promise<readonly PendingPayment[]> {
    this.forget();
    return super.pending();
  }
}

/** The journal of calls without the option `journal`. */
export const PROCESS_JOURNAL = new ProcessJournal();
