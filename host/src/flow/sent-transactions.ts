import { encodeAccount, encodeTransaction, type Transaction, toHex } from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import type { SignedTransaction } from './prepared.js';
import { safeAfter } from './sent.js';

/** Timestamps are forgotten after a day: nodes reject a timestamp of more than an hour ago. */
const KEPT_SECONDS = 86_400n;

/** A signed transaction of which nobody knows whether the chain takes it. */
type OpenPayment = Pick<SignedTransaction, 'genesisHash' | 'transaction' | 'transactionHash'>;

/**
 * The timestamps of transactions by their other fields. Two equal payments in the same second would be the
 * same bytes, and the second a duplicate; here it gets a later timestamp. And the payments that may have been
 * made, so that nobody is paid again by mistake.
 */
export class SentTransactions {
  readonly #taken = new Map<string, Set<bigint>>();
  /** By their hash in hex. */
  readonly #open = new Map<string, OpenPayment>();

  /**
   * Takes the first free timestamp from that of the transaction on, in Unix seconds; `others` are taken too.
   */
  take(genesisHash: Uint8Array, transaction: Transaction, others: ReadonlySet<bigint>): bigint {
    this.#forget(transaction.timestamp - KEPT_SECONDS);
    const key = keyOf(genesisHash, transaction);
    const taken = this.#taken.get(key) ?? new Set();
    this.#taken.set(key, taken);
    let { timestamp } = transaction;
    while (taken.has(timestamp) || others.has(timestamp)) timestamp += 1n;
    taken.add(timestamp);
    return timestamp;
  }

  /** Frees the timestamp of a transaction that was not signed. */
  release(genesisHash: Uint8Array, transaction: Transaction): void {
    this.#taken.get(keyOf(genesisHash, transaction))?.delete(transaction.timestamp);
  }

  /** Keeps that it may have been sent: until no node accepts it, its recipient is not paid unasked. */
  leaveOpen({ genesisHash, transaction, transactionHash }: OpenPayment): void {
    this.#open.set(toHex(transactionHash), { genesisHash, transaction, transactionHash });
  }

  /** Forgets what `leaveOpen` kept of a transaction: its outcome is known. */
  settle({ transactionHash }: Pick<OpenPayment, 'transactionHash'>): void {
    this.#open.delete(toHex(transactionHash));
  }

  /**
   * One that was left open, of the same sender to the same recipient, or about the same escrow, whatever its
   * amount: who is told that a payment failed may well change that. `now` in Unix seconds.
   */
  findOpen(genesisHash: Uint8Array, transaction: Transaction, now: bigint): OpenPayment | undefined {
    const subject = subjectOf(genesisHash, transaction);
    return [...this.#open.values()].find(
      open => safeAfter(open.transaction) > now && subjectOf(open.genesisHash, open.transaction) === subject,
    );
  }

  #forget(oldest: bigint): void {
    for (const [hash, { transaction }] of this.#open) {
      if (transaction.timestamp < oldest) this.#open.delete(hash);
    }
    for (const [key, timestamps] of this.#taken) {
      for (const timestamp of timestamps) {
        if (timestamp < oldest) timestamps.delete(timestamp);
      }
      if (timestamps.size === 0) this.#taken.delete(key);
    }
  }
}

/** Of this program. */
export const SENT_BY_PROCESS = new SentTransactions();

function keyOf(genesisHash: Uint8Array, transaction: Transaction): string {
  return toHex(genesisHash) + toHex(encodeTransaction({ ...transaction, timestamp: 0n }));
}

function subjectOf(genesisHash: Uint8Array, transaction: Transaction): string {
  const { sender, recipient } = transaction;
  const escrow = transaction.type === APPROVAL_ESCROW ? [transaction.escrowHash] : [];
  return [genesisHash, encodeAccount(sender), encodeAccount(recipient), ...escrow].map(toHex).join();
}
