/** The head of a block, as every block has it (docs/gateway/routes.md#blocks). */
export interface BlockHead {
  height: bigint;
  block_hash: string;
  previous_block_hash: string;
  timestamp: bigint;
  transaction_count: bigint;
}

/** Number of blocks from which a client may resume: their events fit into a client's buffer. */
const KEPT = 256;

/** The last blocks that a process saw; a reload keeps them. */
export class BlockHistory {
  /** Blocks without transaction hashes, whose number is unbounded. */
  #kept: BlockHead[] = [];
  #tip: bigint | undefined;

  /** The height to continue from; undefined if unknown. */
  get tip(): bigint | undefined {
    return this.#tip;
  }

  get last(): BlockHead | undefined {
    return this.#kept.at(-1);
  }

  /** The kept blocks above a height. */
  after(height: bigint): readonly BlockHead[] {
    return this.#kept.filter(head => head.height > height);
  }

  /** Whether the gap between the last block and a chain's height is small enough to read. */
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
