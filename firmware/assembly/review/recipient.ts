import { Transaction } from '../transaction/transaction';
import { describeName } from './contact';
import { putAccount, putCoins } from './format';
import { Items } from './items';

/** Adds the items from `Recipient contact` to `Fee` of a transfer of coins or tokens. */
export function describeRecipientAndFee(items: Items, transaction: Transaction): void {
  describeName(items, 'Recipient contact', transaction.recipient);
  items.begin('Recipient');
  putAccount(items, transaction.recipient);
  items.begin('Fee');
  putCoins(items, transaction.fee);
}
