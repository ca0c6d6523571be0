/** The fields of a block without its transactions (docs/gateway/routes.md#blocks). */
export interface BlockHead {
  height: bigint;
  block_hash: string;
  previous_block_hash: string;
  timestamp: bigint;
  transaction_count: bigint;
}

/**
 * Number of blocks that are kept, so that clients can resume. The events of all of them fit into a client's
 * buffer.
 */
const KEPT = 256;

/** The last blocks that this process has seen. A reload keeps them. */
export class BlockHistory {
  /** The blocks are kept without transaction hashes, because the number of hashes is unbounded. */
  #kept: BlockHead[] = [];
  #tip: bigint | undefined;

  /** The height after which the feed continues; undefined if unknown. */
  get tip(): bigint | undefined {
    return this.#tip;
  }

  get last(): BlockHead | undefined {
    return this.#kept.at(-1);
  }

  /** Returns the kept blocks above a height. */
  after(height: bigint): readonly BlockHead[] {
    return this.#kept.filter(head => head.height > height);
  }

  /**
   * Whether the gap between the last block and the chain's height is small enough to read all blocks in it.
   */
  reaches(height: bigint): boolean {
    return this.#tip !== undefined && this.#tip <= height && height - this.#tip <= BigInt(KEPT);
  }

  add(head: BlockHead): void {
    this.#tip = head.height;
    this.#kept = [...this.#kept.slice(1 - KEPT), head];
  }

  restartAt(height: bigint | undefined): void {
    this.#tip = height;
    this.#kept = [];
  }
}
