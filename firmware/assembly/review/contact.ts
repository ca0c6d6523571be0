import { Account } from '../transaction/account';
import { putAccount } from './format';
import { Items } from './items';
import { describeNetwork } from './network';

/** Adds the items of a contact to register. */
export function describeContact(items: Items, account: Account, genesisHash: usize, withHash: bool): void {
  describeName(items, 'New contact', account);
  describeNetwork(items, genesisHash, withHash);
  items.begin('Address');
  putAccount(items, account);
}

/** Adds the item with the proved name of an account, if it has one. */
export function describeName(items: Items, title: string, account: Account): void {
  if (account.nameLength !== 0) items.refer(title, account.name, account.nameLength);
}
