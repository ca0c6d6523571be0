import { dueEscrows, expireEscrow } from '../ledger/escrow.js';
import type { BlockMoment, BlockRecord } from '../store/records.js';
import type { Store } from '../store/store.js';
import { applyBlock, latestBlock } from './block.js';

/**
 * Maximum number of transaction bytes in a block, with signatures. A larger transaction gets a block of its
 * own.
 */
export const MAX_BLOCK_BYTES = 1_048_576;

/**
 * Makes a block. Confirms as many transactions of the mempool as a block holds, in order of arrival, and
 * expires escrows. Then moves the transactions in staging to the mempool. Must be called inside
 * `Store.write`.
 */
export function produceBlock(store: Store, timestamp: bigint): BlockRecord {
  const previous = latestBlock(store);
  const plan = {
    height: previous.height + 1n,
    previousHash: previous.hash,
    // Block times never decrease, even when the clock is set back.
    timestamp: timestamp > previous.timestamp ? timestamp : previous.timestamp,
    transactions: chooseTransactions(store),
  };
  const block = applyBlock(store, plan, at => expireDue(store, at));
  promoteStaging(store);
  return block;
}

/** Returns the hashes of the transactions in the mempool, in order of arrival. */
export function mempoolHashes(store: Store): string[] {
  const hashes = store.pending.entries().map(({ value }) => value);
  return hashes.filter(hash => store.transactions.get(hash)?.stage === 'mempool');
}

function chooseTransactions(store: Store): string[] {
  const chosen: string[] = [];
  let bytes = 0;
  for (const hash of mempoolHashes(store)) {
    bytes += store.signed.sizeOf(hash);
    if (bytes > MAX_BLOCK_BYTES && chosen.length > 0) break;
    chosen.push(hash);
  }
  return chosen;
}

function expireDue(store: Store, at: BlockMoment): string[] {
  const due = dueEscrows(store, at.timestamp);
  for (const hash of due) expireEscrow(store, hash, at);
  return due;
}

function promoteStaging(store: Store): void {
  for (const { value: hash } of store.pending.entries()) {
    const record = store.transactions.get(hash);
    if (record?.stage === 'staging') store.transactions.put(hash, { ...record, stage: 'mempool' });
  }
}
