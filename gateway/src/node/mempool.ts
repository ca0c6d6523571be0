import { toHex } from '../../../chain/src/index.js';
import { RequestError } from '../errors.js';
import { type Broadcast, formatBroadcast } from './broadcast.js';
import { costOf } from './cost.js';
import { hashBroadcast } from './envelope.js';
import { reserve } from './ledger.js';
import type { Operation } from './operation.js';
import type { Stage } from './records.js';
import { checkRules } from './rules.js';
import type { Store } from './store.js';

/** More unconfirmed transactions than this are answered 503 (interface.md "Submit": under load). */
export const MAX_PENDING = 5000;

export interface Admission {
  hash: string;
  /** The node held it already; nothing was changed. */
  duplicate: boolean;
}

/**
 * Inside `Store.write`, after the signature check: takes a broadcast that keeps every rule and reserves what it costs, so
 * that no block can fail to apply it later; throws RequestError otherwise.
 */
export function admit(store: Store, timestamp: bigint, broadcast: Broadcast, stage: Stage): Admission {
  const hash = toHex(hashBroadcast(broadcast));
  if (store.transactions.get(hash) !== undefined) {
    return { hash, duplicate: true };
  }
  const operation = checkRules(store, timestamp, broadcast);
  if (store.pending.count() >= MAX_PENDING) {
    throw new RequestError(503, 'Mempool is full: try again after the next block');
  }
  enqueue(store, hash, broadcast, stage);
  reserveCost(store, hash, broadcast, operation);
  return { hash, duplicate: false };
}

function enqueue(store: Store, hash: string, broadcast: Broadcast, stage: Stage): void {
  const sequence = store.next('transactions');
  store.transactions.put(hash, { sequence, stage, fields: formatBroadcast(broadcast) });
  store.history.put(Number(sequence), hash);
  store.pending.put(Number(sequence), hash);
}

function reserveCost(store: Store, hash: string, broadcast: Broadcast, operation: Operation): void {
  for (const { tokenId, amount } of costOf(broadcast, operation)) {
    reserve(store, toHex(broadcast.sender), tokenId, amount);
  }
  if (operation.kind === 'decision') {
    const escrow = store.escrows.get(operation.escrowHash);
    store.escrows.put(operation.escrowHash, { ...escrow!, decision: hash });
  }
}
