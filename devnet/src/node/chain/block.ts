import { sha3_256 } from '@noble/hashes/sha3.js';
import { fromHex, toHex, WireWriter } from '@zbc-signer/chain';
import { GENESIS_TIMESTAMP } from '../genesis.js';
import { applyTransaction } from '../ledger/apply.js';
import { recordReward } from '../ledger/movements.js';
import type { BlockMoment, BlockRecord } from '../store/records.js';
import type { Store } from '../store/store.js';

export function genesisBlock({ genesisHash }: Store): BlockRecord {
  return {
    height: 0n,
    hash: genesisHash,
    previousHash: '00'.repeat(32),
    timestamp: GENESIS_TIMESTAMP,
    transactions: [],
    expired: [],
  };
}

export function latestBlock(store: Store): BlockRecord {
  const [newest] = store.blocks.entries({ reverse: true, limit: 1 });
  return newest?.value ?? genesisBlock(store);
}

export function findBlock(store: Store, height: bigint): BlockRecord | undefined {
  return height === 0n ? genesisBlock(store) : store.blocks.get(Number(height));
}

/**
 * A block before it is determined which escrows expire with it. `transactions` are hashes of transactions in
 * the mempool.
 */
type BlockPlan = Omit<BlockRecord, 'hash' | 'expired'>;

/**
 * Confirms the transactions in order, then calls `expire`, which settles the expired escrows and returns
 * their hashes. Full and archival nodes both use this function, so that their ledgers agree. Must be called
 * inside `Store.write`.
 */
export function applyBlock(
  store: Store,
  plan: BlockPlan,
  expire: (at: BlockMoment) => string[],
): BlockRecord {
  const { height, timestamp } = plan;
  const at = { height, timestamp };
  const fees = plan.transactions.map(hash => confirm(store, hash, at));
  const content = { ...plan, expired: expire(at) };
  recordReward(
    store,
    fees.reduce((sum, fee) => sum + fee, 0n),
    at,
  );
  const block = { ...content, hash: hashBlock(content) };
  store.blocks.put(Number(height), block);
  return block;
}

function confirm(store: Store, hash: string, at: BlockMoment): bigint {
  const record = store.transactions.get(hash);
  if (record?.stage !== 'mempool') throw new Error(`transaction ${hash} is not in the mempool`);
  const transaction = store.signed.get(hash);
  applyTransaction(store, transaction, at);
  store.transactions.put(hash, { ...record, stage: 'confirmed', height: at.height });
  store.pending.remove(Number(record.sequence));
  return transaction.broadcast.fee;
}

/**
 * Returns the SHA3-256 of these values: height u64, previous hash, timestamp u64, number of transactions u32
 * and their hashes, number of expired escrows u32 and their hashes.
 */
function hashBlock(block: Omit<BlockRecord, 'hash'>): string {
  const { height, previousHash, timestamp, transactions, expired } = block;
  const content = new WireWriter().u64(height).bytes(fromHex(previousHash)).u64(timestamp);
  for (const hashes of [transactions, expired]) {
    content.u32(hashes.length).bytes(Buffer.concat(hashes.map(fromHex)));
  }
  return toHex(sha3_256(content.finish()));
}
