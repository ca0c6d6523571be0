import { toHex } from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';
import type { Stage } from '../store/records.js';
import type { Store } from '../store/store.js';
import { costOf } from '../transaction/cost.js';
import type { Operation } from '../transaction/operation.js';
import type { SignedTransaction } from '../transaction/signed-transaction.js';
import { reserve } from './ledger.js';
import { type Conditions, checkRules } from './rules.js';

/**
 * Maximum number of unconfirmed transactions. Above it, the answer is 503 (docs/gateway/routes.md#submit).
 */
const MAX_PENDING = 5000;

export interface Admission {
  hash: string;
  /** Whether the transaction was already known; if so, nothing changed. */
  duplicate: boolean;
}

/**
 * Accepts a transaction that passes every rule, and reserves its cost, so that a later block cannot fail to
 * apply it. Throws RequestError if a rule fails. Must be called inside `Store.write`.
 */
export function admit(
  store: Store,
  conditions: Conditions,
  transaction: SignedTransaction,
  stage: Stage,
): Admission {
  const { hash } = transaction;
  if (store.transactions.get(hash) !== undefined) return { hash, duplicate: true };
  const operation = checkRules(store, conditions, transaction.broadcast);
  if (store.pending.count() >= MAX_PENDING) {
    throw new RequestError(503, 'The mempool is full: try again after the next block');
  }
  enqueue(store, transaction, stage);
  reserveCost(store, transaction, operation);
  return { hash, duplicate: false };
}

function enqueue(store: Store, transaction: SignedTransaction, stage: Stage): void {
  const { hash } = transaction;
  const sequence = store.next('transactions');
  store.signed.put(transaction);
  store.transactions.put(hash, { sequence, stage });
  store.history.put(Number(sequence), hash);
  store.pending.put(Number(sequence), hash);
}

function reserveCost(store: Store, { hash, broadcast }: SignedTransaction, operation: Operation): void {
  for (const { tokenId, amount } of costOf(broadcast, operation)) {
    reserve(store, toHex(broadcast.sender), tokenId, amount);
  }
  if (operation.kind === 'decision') {
    const escrow = store.escrows.get(operation.escrowHash);
    store.escrows.put(operation.escrowHash, { ...escrow!, decision: hash });
  }
}
