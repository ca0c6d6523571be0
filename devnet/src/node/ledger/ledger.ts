import { COIN } from '../genesis.js';
import type { Balance, EscrowRecord } from '../store/records.js';
import type { Store } from '../store/store.js';

/** The read-only part of a store that the rules need. */
export interface LedgerReader {
  readonly balances: { get(key: string): Balance | undefined };
  readonly escrows: { get(hash: string): EscrowRecord | undefined };
}

const EMPTY: Balance = { balance: 0n, pending: 0n, held: 0n };

/** Returns the key of a balance. The coin has token id 0; the account is in the wire form, as hex. */
export function balanceKey(account: string, tokenId: bigint): string {
  return `${account}/${tokenId}`;
}

export function readBalance(store: LedgerReader, account: string, tokenId: bigint): Balance {
  return store.balances.get(balanceKey(account, tokenId)) ?? EMPTY;
}

/** An account exists from its first payment on. */
export function accountExists(store: LedgerReader, account: string): boolean {
  return store.balances.get(balanceKey(account, COIN)) !== undefined;
}

export function spendable({ balance, pending }: Pick<Balance, 'balance' | 'pending'>): bigint {
  return balance - pending;
}

/** Reserves an amount for an unconfirmed transaction. */
export function reserve(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { pending: amount });
}

/** Deducts a reserved amount. */
export function spend(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { balance: -amount, pending: -amount });
}

/** Pays an account and creates it if it is new. */
export function credit(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, COIN, {});
  change(store, account, tokenId, { balance: amount });
}

/** Moves a deducted amount into the sender's escrow hold. */
export function hold(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { held: amount });
}

/** Ends a hold; the payee is credited separately. */
export function unhold(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { held: -amount });
}

function change(store: Store, account: string, tokenId: bigint, by: Partial<Balance>): void {
  const before = readBalance(store, account, tokenId);
  const after = {
    balance: before.balance + (by.balance ?? 0n),
    pending: before.pending + (by.pending ?? 0n),
    held: before.held + (by.held ?? 0n),
  };
  if (after.balance < 0n || after.pending < 0n || after.held < 0n || after.pending > after.balance) {
    throw new Error(`the ledger would go below zero for token ${tokenId} of ${account}`);
  }
  store.putBalance(balanceKey(account, tokenId), after);
}
