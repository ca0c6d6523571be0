import { toHex } from '../../../chain/src/index.js';
import type { Broadcast } from './broadcast.js';
import { costOf } from './cost.js';
import { openEscrow, settleEscrow } from './escrow.js';
import { COIN, FEE_COLLECTOR } from './genesis.js';
import { credit, spend } from './ledger.js';
import { type Payment, parseOperation } from './operation.js';
import type { BlockMoment } from './records.js';
import type { Store } from './store.js';

/** Inside `Store.write`: the effects of a transaction that `admit` took. Fees go back to the treasury, so supply never changes. */
export function applyTransaction(store: Store, hash: string, broadcast: Broadcast, at: BlockMoment): void {
  const operation = parseOperation(broadcast);
  for (const { tokenId, amount } of costOf(broadcast, operation)) {
    spend(store, toHex(broadcast.sender), tokenId, amount);
  }
  credit(store, FEE_COLLECTOR, COIN, broadcast.fee);
  if (operation.kind === 'payment') {
    pay(store, hash, broadcast, operation);
  } else {
    settleEscrow(store, operation.escrowHash, operation.approves ? 'approved' : 'rejected', at);
  }
}

function pay(store: Store, hash: string, { sender, escrow }: Broadcast, payment: Payment): void {
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
