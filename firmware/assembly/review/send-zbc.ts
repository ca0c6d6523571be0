import { Transaction } from '../transaction/transaction';
import { putCoinSum, putCoins } from './format';
import { Items } from './items';
import { describeRecipientAndFee } from './recipient';

/** Adds the items of a coin transfer, from `Amount` to `Total leaving`. */
export function describeSendZbc(items: Items, transaction: Transaction): void {
  items.begin('Amount');
  putCoins(items, transaction.amount);
  describeRecipientAndFee(items, transaction);
  items.begin('Total leaving');
  putCoinSum(items, transaction.amount, transaction.fee, 0);
}

/** Adds the item of the amount of coins that an escrow holds. */
export function describeEscrowedCoins(items: Items, linked: Transaction): void {
  items.begin('Escrow amount');
  putCoins(items, linked.amount);
}
