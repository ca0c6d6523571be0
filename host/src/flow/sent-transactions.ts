import { encodeTransaction, type Transaction, toHex } from '@zbc-signer/chain';

/** A timestamp taken for one transaction; `release` frees it if nothing was signed. */
export interface TakenTimestamp {
  timestamp: bigint;
  release(): void;
}

/** Timestamps are forgotten after a day: nodes reject a timestamp of more than an hour ago. */
const KEPT_SECONDS = 86_400n;

/**
 * The timestamps of transactions by their other fields. Two equal payments in the same second would be the
 * same bytes, and the second a duplicate; here it gets a later timestamp.
 */
export class SentTransactions {
  readonly #taken = new Map<string, Set<bigint>>();

  /** Takes the first free timestamp from that of the transaction on; `others` are taken too. */
  take(genesisHash: Uint8Array, transaction: Transaction, others: ReadonlySet<bigint>): TakenTimestamp {
    const key = toHex(genesisHash) + toHex(encodeTransaction({ ...transaction, timestamp: 0n }));
    const taken = this.#takenSince(key, transaction.timestamp - KEPT_SECONDS);
    let { timestamp } = transaction;
    while (taken.has(timestamp) || others.has(timestamp)) timestamp += 1n;
    taken.add(timestamp);
    return { timestamp, release: () => taken.delete(timestamp) };
  }

  #takenSince(key: string, oldest: bigint): Set<bigint> {
    for (const [known, timestamps] of this.#taken) {
      for (const timestamp of timestamps) {
        if (timestamp < oldest) timestamps.delete(timestamp);
      }
      if (timestamps.size === 0) this.#taken.delete(known);
    }
    const taken = this.#taken.get(key) ?? new Set();
    this.#taken.set(key, taken);
    return taken;
  }
}
