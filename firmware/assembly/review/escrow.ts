import { SEND_ZBC } from '../../../protocol/src/transaction-types';
import { Transaction } from '../transaction/transaction';
import { describeName } from './contact';
import { Details, describeTotalWithCommission } from './details';
import { putAccount, putCoins, putText } from './format';
import { Items } from './items';
import { describeText } from './message';
import { putTime } from './time';

/** Adds the items of the escrow block of the transaction to sign. */
export function describeEscrow(items: Items, transaction: Transaction, details: Details): void {
  describeName(items, 'Approver contact', transaction.approver);
  items.begin('Escrow approver');
  putAccount(items, transaction.approver);
  describeCommission(items, transaction);
  if (details.shown && transaction.type === SEND_ZBC) describeTotalWithCommission(items, transaction);
  describeTerms(items, transaction, details);
}

export function describeCommission(items: Items, transaction: Transaction): void {
  items.begin('Escrow commission');
  putCoins(items, transaction.commission);
}

/** Adds the items from `Escrow timeout` to `Escrow multi-party`. */
export function describeTerms(items: Items, transaction: Transaction, details: Details): void {
  items.begin('Escrow timeout');
  putTime(items, transaction.timeout);
  describeText(
    items,
    'Escrow instruction',
    'Escrow instruction hash',
    transaction.instruction,
    transaction.instructionLength,
    details,
  );
  if (!transaction.multiParty) return;
  items.begin('Escrow multi-party');
  putText(items, 'Yes');
}
