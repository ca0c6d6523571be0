import { SEND_ZBC } from '../../../protocol/transaction-types';
import { Transaction } from '../transaction/transaction';
import { APPROVE } from '../transaction/types/approval-escrow';
import { describeTerms } from './escrow';
import { putAccount, putCoins, putSignedDecimal, putText } from './format';
import { Items } from './items';
import { describeText } from './message';
import { putTokenAmount } from './transfer-token';
import { putType } from './type';

/** The decision, then what it decides about, from the linked transaction whose hash was verified, then the fee. */
export function describeApproval(items: Items, transaction: Transaction, linked: Transaction): void {
  items.begin('Escrow decision');
  putText(items, transaction.approval === APPROVE ? 'APPROVE' : 'REJECT');
  items.enlarge();
  items.begin('Escrow type');
  putType(items, linked.type);
  describeLinkedAmount(items, linked);
  items.begin('Escrow sender');
  putAccount(items, linked.sender);
  items.begin('Escrow recipient');
  putAccount(items, linked.recipient);
  describeTerms(items, linked);
  describeText(items, 'Escrow message', linked.message, linked.messageLength);
  items.begin('Fee');
  putCoins(items, transaction.fee);
}

function describeLinkedAmount(items: Items, linked: Transaction): void {
  if (linked.type === SEND_ZBC) {
    items.begin('Escrow amount');
    putCoins(items, linked.amount);
    return;
  }
  items.begin('Escrow token');
  putSignedDecimal(items, linked.tokenId);
  items.begin('Escrow token amount');
  putTokenAmount(items, linked.amount);
}
