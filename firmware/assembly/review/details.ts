import { Transaction } from '../transaction/transaction';
import { putAccount, putCoinSum, putDecimal } from './format';
import { Items } from './items';
import { putTime } from './time';

/** What only users see who turned the details on: the account's index, and whether to show them. */
@unmanaged
export class Details {
  index: u32;
  shown: bool;
}

export function describeAccountIndex(items: Items, index: u32): void {
  items.begin('Account index');
  putDecimal(items, index);
}

/** The items behind `Type`: which account signs, and when. */
export function describeSender(items: Items, transaction: Transaction, index: u32): void {
  describeAccountIndex(items, index);
  items.begin('From');
  putAccount(items, transaction.sender);
  items.begin('Timestamp');
  putTime(items, transaction.timestamp);
}

/** The item behind `Escrow commission` of a coin transfer. */
export function describeTotalWithCommission(items: Items, transaction: Transaction): void {
  items.begin('Total with commission');
  putCoinSum(items, transaction.amount, transaction.fee, transaction.commission);
}
