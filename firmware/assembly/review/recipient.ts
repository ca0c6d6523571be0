import { Transaction } from '../transaction/transaction';
import { putAccount, putCoins } from './format';
import { Items } from './items';

/** Adds the items `Recipient` and `Fee` of a transfer of coins or tokens. */
export function describeRecipientAndFee(items: Items, transaction: Transaction): void {
  items.begin('Recipient');
  putAccount(items, transaction.recipient);
  items.begin('Fee');
  putCoins(items, transaction.fee);
}
