import { sha3_256 } from '@noble/hashes/sha3.js';
import { fromHex, toHex } from '../../../chain/src/index.js';
import { applyTransaction } from './apply.js';
import { u32, u64 } from './bytes.js';
import { expireEscrows } from './escrow.js';
import { DEVNET_GENESIS_HASH, GENESIS_TIMESTAMP } from './genesis.js';
import type { BlockRecord } from './records.js';
import type { Store } from './store.js';

export const GENESIS_BLOCK: BlockRecord = {
  height: 0n,
  hash: DEVNET_GENESIS_HASH,
  previousHash: '00'.repeat(32),
  timestamp: GENESIS_TIMESTAMP,
  transactions: [],
};

export function latestBlock(store: Store): BlockRecord {
  return store.latest.get('block') ?? GENESIS_BLOCK;
}

/**
 * Inside `Store.write`: confirms the mempool in the order in which it came, expires escrows, then moves staging to the mempool.
 * A block without transactions is kept only while it is the newest.
 */
export function produceBlock(store: Store, timestamp: bigint): BlockRecord {
  const block = nextBlock(store, timestamp);
  for (const hash of block.transactions) {
    confirm(store, hash, block.height);
  }
  expireEscrows(store, block.timestamp);
  promoteStaging(store);
  store.latest.put('block', block);
  if (block.transactions.length > 0) {
    store.blocks.put(Number(block.height), block);
  }
  return block;
}

function nextBlock(store: Store, timestamp: bigint): BlockRecord {
  const previous = latestBlock(store);
  const content = {
    height: previous.height + 1n,
    previousHash: previous.hash,
    // A clock that was set back does not turn the chain's time back.
    timestamp: timestamp > previous.timestamp ? timestamp : previous.timestamp,
    transactions: mempoolHashes(store),
  };
  return { ...content, hash: hashBlock(content) };
}

/** In the order in which they came. */
export function mempoolHashes(store: Store): string[] {
  const hashes = store.pending.entries().map(({ value }) => value);
  return hashes.filter(hash => store.transactions.get(hash)?.stage === 'mempool');
}

/** SHA3-256 of height u64, previous hash, timestamp u64, number of transactions u32 and their hashes. */
function hashBlock({ height, previousHash, timestamp, transactions }: Omit<BlockRecord, 'hash'>): string {
  const parts = [u64(height), fromHex(previousHash), u64(timestamp), u32(transactions.length)];
  return toHex(sha3_256(Buffer.concat([...parts, ...transactions.map(fromHex)])));
}

function confirm(store: Store, hash: string, height: bigint): void {
  const record = store.transactions.get(hash);
  if (record?.stage !== 'mempool') {
    throw new Error(`transaction ${hash} is not in the mempool`);
  }
  applyTransaction(store, hash, record);
  store.transactions.put(hash, { ...record, stage: 'confirmed', height });
  store.pending.remove(Number(record.sequence));
}

function promoteStaging(store: Store): void {
  for (const { value: hash } of store.pending.entries()) {
    const record = store.transactions.get(hash);
    if (record?.stage === 'staging') {
      store.transactions.put(hash, { ...record, stage: 'mempool' });
    }
  }
}
