import { HASH_LENGTH } from '../../../protocol/src/limits';
import { Transaction } from '../transaction/transaction';
import { putAccount, putCoinSum, putCoins, putDecimal, putHex } from './format';
import { Items } from './items';
import { putTime } from './time';

/** Details for users who enabled them: the account's index, and whether to show them. */
@unmanaged
export class Details {
  index: u32;
  shown: bool;
}

export function describeAccountIndex(items: Items, index: u32): void {
  items.begin('Account index');
  putDecimal(items, index);
}

/** The items after `Type`: the signing account and the time. */
export function describeSender(items: Items, transaction: Transaction, index: u32): void {
  describeAccountIndex(items, index);
  items.begin('From');
  putAccount(items, transaction.sender);
  items.begin('Timestamp');
  putTime(items, transaction.timestamp);
}

/** The item after `Escrow commission` of a coin transfer. */
export function describeTotalWithCommission(items: Items, transaction: Transaction): void {
  items.begin('Total with commission');
  putCoinSum(items, transaction.amount, transaction.fee, transaction.commission);
}

/** All digits of a hash that the previous item shows at most in part. */
export function describeHash(items: Items, title: string, hash: usize): void {
  items.begin(title);
  putHex(items, hash, HASH_LENGTH);
}

/** The items after `Escrow message`: the other fields that an ApprovalEscrow's hash covers, and the hash. */
export function describeLinkedDetails(items: Items, transaction: Transaction, linked: Transaction): void {
  items.begin('Escrow timestamp');
  putTime(items, linked.timestamp);
  items.begin('Escrow fee');
  putCoins(items, linked.fee);
  describeHash(items, 'Escrow transaction', transaction.escrowHash);
}
