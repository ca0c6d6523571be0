import { HASH_LENGTH } from '../../../protocol/src/limits';
import { Transaction } from '../transaction/transaction';
import { putAccount, putCoinSum, putCoins, putDecimal, putHex } from './format';
import { Items } from './items';
import { putTime } from './time';

/** The account index of the command, and whether the user has turned on the detail items. */
@unmanaged
export class Details {
  index: u32;
  shown: bool;
}

export function describeAccountIndex(items: Items, index: u32): void {
  items.begin('Account index');
  putDecimal(items, index);
}

/** Adds the detail items after `Type`: the account index, the signing account and the time. */
export function describeSender(items: Items, transaction: Transaction, index: u32): void {
  describeAccountIndex(items, index);
  items.begin('From');
  putAccount(items, transaction.sender);
  items.begin('Timestamp');
  putTime(items, transaction.timestamp);
}

/** Adds the detail item after `Escrow commission` of a coin transfer. */
export function describeTotalWithCommission(items: Items, transaction: Transaction): void {
  items.begin('Total with commission');
  putCoinSum(items, transaction.amount, transaction.fee, transaction.commission);
}

/** Adds an item with all digits of a hash. */
export function describeHash(items: Items, title: string, hash: usize): void {
  items.begin(title);
  putHex(items, hash, HASH_LENGTH);
}

/** Adds the detail items after `Escrow type`: the time and the fee of the linked transaction. */
export function describeLinkedDetails(items: Items, linked: Transaction): void {
  items.begin('Escrow timestamp');
  putTime(items, linked.timestamp);
  items.begin('Escrow fee');
  putCoins(items, linked.fee);
}
