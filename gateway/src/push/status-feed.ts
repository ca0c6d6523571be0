import { fieldOf, integerOf } from '../base/node-json.js';
import type { ReadJson } from '../proxy/chain-reader.js';
import type { BlockFeed, FeedBlock, FeedListener } from './block-feed.js';

const STAGES = ['staging', 'mempool', 'confirmed'];

/** The status of a transaction (docs/gateway/routes.md#transaction-status). */
export interface TransactionStatus {
  transaction_hash: string;
  status: string;
  block_height?: bigint;
}

export interface StatusListener {
  /** Called when the status has changed. */
  onStatus(status: TransactionStatus): void;
  onReplaced(): void;
}

/**
 * Follows transactions. A transaction that a block contains is confirmed; the status of all others is queried
 * once per block.
 */
export class StatusFeed implements FeedListener {
  readonly #blocks: BlockFeed;
  readonly #read: ReadJson;
  /** Listeners by transaction hash in lower-case hex. */
  readonly #listeners = new Map<string, Set<StatusListener>>();
  /** Hashes of the transactions to query, one after another. */
  readonly #due = new Set<string>();
  #isAsking = false;

  constructor(blocks: BlockFeed, read: ReadJson) {
    this.#blocks = blocks;
    this.#read = read;
  }

  /**
   * Adds a listener and returns the current status. If no node knows the transaction, returns undefined and
   * removes the listener.
   */
  async listen(hash: string, listener: StatusListener): Promise<TransactionStatus | undefined> {
    // The listener is added first. Otherwise the feed would stop during its start if the last other listener
    // left.
    const listeners = this.#listeners.get(hash) ?? new Set();
    this.#listeners.set(hash, listeners.add(listener));
    try {
      await this.#blocks.listen(this);
      // The status is queried after the subscription, so that no block in between is missed.
      const status = await this.#ask(hash);
      if (status === undefined) this.leave(hash, listener);
      return status;
    } catch (error) {
      this.leave(hash, listener);
      throw error;
    }
  }

  leave(hash: string, listener: StatusListener): void {
    const listeners = this.#listeners.get(hash);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(hash);
    if (this.#listeners.size === 0) this.#blocks.leave(this);
  }

  onBlock({ head, hashes }: FeedBlock): void {
    for (const hash of this.#listeners.keys()) {
      if (hashes.has(hash)) {
        this.#tell({ transaction_hash: hash, status: 'confirmed', block_height: head.height });
      } else {
        this.#due.add(hash);
      }
    }
    if (!this.#isAsking) void this.#askDue();
  }

  onReplaced(): void {
    for (const listeners of [...this.#listeners.values()]) {
      for (const listener of [...listeners]) listener.onReplaced();
    }
  }

  async #askDue(): Promise<void> {
    this.#isAsking = true;
    for (const hash of this.#due) {
      this.#due.delete(hash);
      const status = this.#listeners.has(hash) ? await this.#ask(hash).catch(() => undefined) : undefined;
      if (status !== undefined) this.#tell(status);
    }
    this.#isAsking = false;
  }

  #tell(status: TransactionStatus): void {
    for (const listener of [...(this.#listeners.get(status.transaction_hash) ?? [])]) {
      listener.onStatus(status);
    }
  }

  async #ask(hash: string): Promise<TransactionStatus | undefined> {
    const answer = await this.#read(`/api/v1/transactions/${hash}/status`);
    const status = STAGES.find(stage => stage === fieldOf(answer, 'status'));
    const height = integerOf(answer, 'block_height');
    if (status === undefined) return undefined;
    return { transaction_hash: hash, status, ...(height !== undefined && { block_height: height }) };
  }
}
