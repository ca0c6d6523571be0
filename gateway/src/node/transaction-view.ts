import { fromHex, toHex, transactionId } from '../../../chain/src/index.js';
import { parseBroadcast } from './broadcast.js';
import { encodeEnvelope } from './envelope.js';
import { mempoolHashes } from './produce.js';
import type { TransactionRecord } from './records.js';
import type { Store } from './store.js';

/** The named fields as they were broadcast, and what the chain knows of them; undefined for an unknown hash. */
export function viewTransaction(store: Store, hash: string): Record<string, unknown> | undefined {
  const record = store.transactions.get(hash);
  if (record === undefined) {
    return undefined;
  }
  const escrow = store.escrows.get(hash);
  return {
    transaction_hash: hash,
    transaction_id: transactionId(fromHex(hash)),
    ...viewStage(record),
    ...record.fields,
    unsigned_hex: toHex(encodeEnvelope(parseBroadcast(record.fields))),
    ...(escrow && { escrow_status: escrow.state }),
  };
}

/** `mempool_position` counts from 1, the next to be confirmed. */
export function viewStatus(store: Store, hash: string): Record<string, unknown> | undefined {
  const record = store.transactions.get(hash);
  if (record === undefined) {
    return undefined;
  }
  const position = record.stage === 'mempool' && { mempool_position: mempoolHashes(store).indexOf(hash) + 1 };
  return { transaction_hash: hash, ...viewStage(record), ...position };
}

/** Newest first, at most `limit`. */
export function viewRecent(store: Store, limit: number): unknown[] {
  const newest = store.history.entries({ reverse: true, limit });
  return newest.map(({ value }) => viewTransaction(store, value));
}

function viewStage({ stage, height }: TransactionRecord) {
  return { status: stage, ...(height !== undefined && { block_height: height }) };
}
