import { encodeTransaction, type Transaction, toHex } from '@zbc-signer/chain';

/** Timestamps are forgotten after a day: nodes reject a timestamp of more than an hour ago. */
const KEPT_SECONDS = 86_400n;

/**
 * The timestamps of transactions by their other fields. Two equal payments in the same second would be the
 * same bytes, and the second a duplicate; here it gets a later timestamp.
 */
export class SentTransactions {
  readonly #taken = new Map<string, Set<bigint>>();

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

  #forget(oldest: bigint): void {
    for (const [key, timestamps] of this.#taken) {
      for (const timestamp of timestamps) {
        if (timestamp < oldest) timestamps.delete(timestamp);
      }
      if (timestamps.size === 0) this.#taken.delete(key);
    }
  }
}

function keyOf(genesisHash: Uint8Array, transaction: Transaction): string {
  return toHex(genesisHash) + toHex(encodeTransaction({ ...transaction, timestamp: 0n }));
}
