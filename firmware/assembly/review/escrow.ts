import { Transaction } from '../transaction/transaction';
import { putAccount, putCoins, putText } from './format';
import { Items } from './items';
import { describeText } from './message';
import { putTime } from './time';

/** The items of a transaction's own escrow block. */
export function describeEscrow(items: Items, transaction: Transaction): void {
  items.begin('Escrow approver');
  putAccount(items, transaction.approver);
  describeTerms(items, transaction);
}

/** `Escrow commission` to `Escrow multi-party`. */
export function describeTerms(items: Items, transaction: Transaction): void {
  items.begin('Escrow commission');
  putCoins(items, transaction.commission);
  items.begin('Escrow timeout');
  putTime(items, transaction.timeout);
  describeText(items, 'Escrow instruction', transaction.instruction, transaction.instructionLength);
  if (!transaction.multiParty) return;
  items.begin('Escrow multi-party');
  putText(items, 'Yes');
}
