/** The head of a block, as every block has it (docs/gateway/routes.md#blocks). */
export interface BlockHead {
  height: bigint;
  block_hash: string;
  previous_block_hash: string;
  timestamp: bigint;
  transaction_count: bigint;
}

/** Blocks that a client may resume from: their events are less than a client may leave unread. */
const KEPT = 256;

/** The last blocks that a process saw; a reload leaves them. */
export class BlockHistory {
  /** Without hashes of transactions, of which a node may send any number. */
  #kept: BlockHead[] = [];
  #tip: bigint | undefined;

  /** The height after which the next block is looked for; undefined if that is not known. */
  get tip(): bigint | undefined {
    return this.#tip;
  }

  get last(): BlockHead | undefined {
    return this.#kept.at(-1);
  }

  /** Those that came after a height. */
  after(height: bigint): readonly BlockHead[] {
    return this.#kept.filter(head => head.height > height);
  }

  /** Whether the blocks between the last one and a chain's height are few enough to be read. */
  reaches(height: bigint): boolean {
    return this.#tip !== undefined && this.#tip <= height && height - this.#tip <= BigInt(KEPT);
  }

  add(head: BlockHead): void {
    this.#tip = head.height;
    this.#kept = [...this.#kept.slice(1 - KEPT), head];
  }

  /** Forgets all blocks. */
  restartAt(height: bigint | undefined): void {
    this.#tip = height;
    this.#kept = [];
  }
}
