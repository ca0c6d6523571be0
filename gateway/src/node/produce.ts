import { applyBlock, latestBlock } from './block.js';
import { parseBroadcast } from './broadcast.js';
import { encodeEnvelope } from './envelope.js';
import { dueEscrows, expireEscrow } from './escrow.js';
import type { BlockMoment, BlockRecord } from './records.js';
import type { Store } from './store.js';

/** Of the transactions of one block, unsigned bytes and signatures; a block always takes one, whatever its size. */
export const MAX_BLOCK_BYTES = 1_048_576;

/**
 * Inside `Store.write`: confirms the mempool in the order in which it came, as much as a block holds, expires escrows, then
 * moves staging to the mempool.
 */
export function produceBlock(store: Store, timestamp: bigint): BlockRecord {
  const previous = latestBlock(store);
  const plan = {
    height: previous.height + 1n,
    previousHash: previous.hash,
    // A clock that was set back does not turn the chain's time back.
    timestamp: timestamp > previous.timestamp ? timestamp : previous.timestamp,
    transactions: chooseTransactions(store),
  };
  const block = applyBlock(store, plan, at => expireDue(store, at));
  promoteStaging(store);
  return block;
}

/** In the order in which they came. */
export function mempoolHashes(store: Store): string[] {
  const hashes = store.pending.entries().map(({ value }) => value);
  return hashes.filter(hash => store.transactions.get(hash)?.stage === 'mempool');
}

function chooseTransactions(store: Store): string[] {
  const chosen: string[] = [];
  let bytes = 0;
  for (const hash of mempoolHashes(store)) {
    bytes += sizeOf(store, hash);
    if (bytes > MAX_BLOCK_BYTES && chosen.length > 0) {
      break;
    }
    chosen.push(hash);
  }
  return chosen;
}

/** Bytes of the transaction with its signature. */
export function sizeOf(store: Store, hash: string): number {
  const broadcast = parseBroadcast(store.transactions.get(hash)!.fields);
  return encodeEnvelope(broadcast).length + broadcast.signature.length;
}

function expireDue(store: Store, at: BlockMoment): string[] {
  const due = dueEscrows(store, at.timestamp);
  for (const hash of due) {
    expireEscrow(store, hash, at);
  }
  return due;
}

function promoteStaging(store: Store): void {
  for (const { value: hash } of store.pending.entries()) {
    const record = store.transactions.get(hash);
    if (record?.stage === 'staging') {
      store.transactions.put(hash, { ...record, stage: 'mempool' });
    }
  }
}
