import { COIN } from './genesis.js';
import { credit, hold, unhold } from './ledger.js';
import type { EscrowRecord, EscrowState } from './records.js';
import type { Store } from './store.js';

/** Sorts by timeout: 20 digits hold every u64. */
export function deadlineKey(timeout: bigint, hash: string): string {
  return `${timeout.toString().padStart(20, '0')}/${hash}`;
}

/** Keeps the amount and the commission, which were spent, until `settleEscrow`. */
export function openEscrow(store: Store, hash: string, escrow: EscrowRecord): void {
  hold(store, escrow.sender, escrow.tokenId, escrow.amount);
  hold(store, escrow.sender, COIN, escrow.commission);
  store.escrows.put(hash, escrow);
  store.deadlines.put(deadlineKey(escrow.timeout, hash), hash);
}

/** Approved, the amount goes to the recipient and the commission to the approver; otherwise both return to the sender. */
export function settleEscrow(store: Store, hash: string, state: Exclude<EscrowState, 'held'>): void {
  const escrow = store.escrows.get(hash);
  if (escrow?.state !== 'held') {
    throw new Error(`escrow ${hash} is not held`);
  }
  const { sender, recipient, approver, tokenId, amount, commission, timeout } = escrow;
  unhold(store, sender, tokenId, amount);
  unhold(store, sender, COIN, commission);
  credit(store, state === 'approved' ? recipient : sender, tokenId, amount);
  credit(store, state === 'approved' ? approver : sender, COIN, commission);
  store.escrows.put(hash, { ...escrow, state });
  store.deadlines.remove(deadlineKey(timeout, hash));
}

/** Expires what is still held when a block's time has passed its timeout; a decision that was taken in time keeps it open. */
export function expireEscrows(store: Store, blockTimestamp: bigint): void {
  for (const { value: hash } of store.deadlines.entries({ end: deadlineKey(blockTimestamp, '') })) {
    if (store.escrows.get(hash)?.decision === undefined) {
      settleEscrow(store, hash, 'expired');
    }
  }
}
