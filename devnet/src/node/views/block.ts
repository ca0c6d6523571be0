import { findBlock } from '../chain/block.js';
import { MAX_BLOCK_BYTES } from '../chain/produce.js';
import type { BlockRecord } from '../store/records.js';
import type { Store } from '../store/store.js';
import { viewTransaction } from './transaction.js';

export function viewBlockHeader({ height, hash, previousHash, timestamp, transactions }: BlockRecord) {
  return {
    height,
    block_hash: hash,
    previous_block_hash: previousHash,
    timestamp,
    transaction_count: transactions.length,
  };
}

/** Returns the JSON of a block, with all fields of its transactions and the hashes of the expired escrows. */
export function viewBlock(store: Store, block: BlockRecord): Record<string, unknown> {
  return {
    ...viewBlockHeader(block),
    transactions: block.transactions.map(hash => viewTransaction(store, hash)),
    expired_escrows: block.expired,
  };
}

/**
 * Returns at most `limit` blocks from a height upwards. Ends before the transactions exceed MAX_BLOCK_BYTES,
 * but returns at least one block, if there is one.
 */
export function viewBlocks(store: Store, from: bigint, limit: number): unknown[] {
  const blocks: unknown[] = [];
  let bytes = 0;
  for (let height = from; blocks.length < limit; height += 1n) {
    const block = findBlock(store, height);
    if (block === undefined) break;
    bytes += block.transactions.reduce((sum, hash) => sum + store.signed.sizeOf(hash), 0);
    if (bytes > MAX_BLOCK_BYTES && blocks.length > 0) break;
    blocks.push(viewBlock(store, block));
  }
  return blocks;
}
