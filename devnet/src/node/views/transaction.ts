import { fromHex, toHex, transactionId } from '@zbc-signer/chain';
import { mempoolHashes } from '../chain/produce.js';
import type { TransactionRecord } from '../store/records.js';
import type { Store } from '../store/store.js';
import { formatBroadcast } from '../transaction/broadcast.js';

/** Returns the fields of the broadcast, its identifiers and its status; undefined for an unknown hash. */
export function viewTransaction(store: Store, hash: string): Record<string, unknown> | undefined {
  const record = store.transactions.get(hash);
  if (record === undefined) return undefined;
  const { unsigned, broadcast } = store.signed.get(hash);
  const escrow = store.escrows.get(hash);
  return {
    transaction_hash: hash,
    transaction_id: transactionId(fromHex(hash)),
    ...viewStage(record),
    ...formatBroadcast(broadcast),
    unsigned_hex: toHex(unsigned),
    ...(escrow && { escrow_status: escrow.state }),
  };
}

/**
 * Returns the status of a transaction. `mempool_position` is 1 for the transaction that is confirmed next.
 */
export function viewStatus(store: Store, hash: string): Record<string, unknown> | undefined {
  const record = store.transactions.get(hash);
  if (record === undefined) return undefined;
  const position = record.stage === 'mempool' && { mempool_position: mempoolHashes(store).indexOf(hash) + 1 };
  return { transaction_hash: hash, ...viewStage(record), ...position };
}

/** Returns at most `limit` transactions, newest first. */
export function viewRecent(store: Store, limit: number): unknown[] {
  const newest = store.history.entries({ reverse: true, limit });
  return newest.map(({ value }) => viewTransaction(store, value));
}

function viewStage({ stage, height }: TransactionRecord) {
  return { status: stage, ...(height !== undefined && { block_height: height }) };
}
