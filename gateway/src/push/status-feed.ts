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
  /** Called when it has changed. */
  onStatus(status: TransactionStatus): void;
  onReplaced(): void;
}

/** Follows transactions: a block tells which it confirms, and each other one is asked for once a block. */
export class StatusFeed implements FeedListener {
  readonly #blocks: BlockFeed;
  readonly #read: ReadJson;
  /** By hash in lower hex. */
  readonly #listeners = new Map<string, Set<StatusListener>>();
  /** To be asked for, one after another. */
  readonly #due = new Set<string>();
  #isAsking = false;

  constructor(blocks: BlockFeed, read: ReadJson) {
    this.#blocks = blocks;
    this.#read = read;
  }

  /** The status now; undefined, and nothing is followed, if no node knows the transaction. */
  async listen(hash: string, listener: StatusListener): Promise<TransactionStatus | undefined> {
    // At once: the last of the others to leave, while the feed starts, would end it.
    const listeners = this.#listeners.get(hash) ?? new Set();
    this.#listeners.set(hash, listeners.add(listener));
    try {
      await this.#blocks.listen(this);
      // After it is followed: a block in between would be missed.
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
