import { toHex } from '@zbc-signer/chain';
import { costOf } from './cost.js';
import { openEscrow, settleEscrow } from './escrow.js';
import { COIN, TREASURY_HEX } from './genesis.js';
import { credit, spend } from './ledger.js';
import { type Payment, parseOperation } from './operation.js';
import type { BlockMoment } from './records.js';
import type { SignedTransaction } from './signed-transaction.js';
import type { Store } from './store.js';

/**
 * Inside `Store.write`: applies a transaction that `admit` accepted. Fees return to the treasury: supply is
 * constant.
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
