import { toHex } from '@zbc-signer/chain';
import { COIN, TREASURY_HEX } from '../genesis.js';
import type { BlockMoment } from '../store/records.js';
import type { Store } from '../store/store.js';
import { costOf } from '../transaction/cost.js';
import { type Payment, parseOperation } from '../transaction/operation.js';
import type { SignedTransaction } from '../transaction/signed-transaction.js';
import { openEscrow, settleEscrow } from './escrow.js';
import { credit, spend } from './ledger.js';

/**
 * Applies a transaction that `admit` accepted. The fee goes to the treasury, so the supply is constant. Must
 * be called inside `Store.write`.
 */
export function applyTransaction(store: Store, transaction: SignedTransaction, at: BlockMoment): void {
  const { broadcast } = transaction;
  const operation = parseOperation(broadcast);
  for (const { tokenId, amount } of costOf(broadcast, operation)) {
    spend(store, toHex(broadcast.sender), tokenId, amount);
  }
  credit(store, TREASURY_HEX, COIN, broadcast.fee);
  if (operation.kind === 'payment') {
    pay(store, transaction, operation);
  } else {
    settleEscrow(store, operation.escrowHash, operation.approves ? 'approved' : 'rejected', at);
  }
}

function pay(store: Store, { hash, broadcast }: SignedTransaction, payment: Payment): void {
  const { sender, escrow } = broadcast;
  const { recipient, tokenId, amount } = payment;
  if (escrow === undefined) {
    credit(store, recipient, tokenId, amount);
    return;
  }
  const { commission, timeout } = escrow;
  const approver = toHex(escrow.approver);
  openEscrow(store, hash, {
    state: 'held',
    sender: toHex(sender),
    recipient,
    approver,
    tokenId,
    amount,
    commission,
    timeout,
  });
}
