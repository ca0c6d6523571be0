import { COIN } from './genesis.js';
import type { EscrowRecord, Purse } from './records.js';
import type { Store } from './store.js';

/** All that the rules of a transaction look at in a store; they change nothing. */
export interface LedgerReader {
  readonly purses: { get(key: string): Purse | undefined };
  readonly escrows: { get(hash: string): EscrowRecord | undefined };
}

const EMPTY: Purse = { balance: 0n, pending: 0n, held: 0n };

/** The coin counts as token 0; the account is wire hex. */
export function purseKey(account: string, tokenId: bigint): string {
  return `${account}/${tokenId}`;
}

export function readPurse(store: LedgerReader, account: string, tokenId: bigint): Purse {
  return store.purses.get(purseKey(account, tokenId)) ?? EMPTY;
}

/** An account exists once anything was paid to it. */
export function accountExists(store: LedgerReader, account: string): boolean {
  return store.purses.get(purseKey(account, COIN)) !== undefined;
}

export function spendable(purse: Purse): bigint {
  return purse.balance - purse.pending;
}

/** Promises an amount to an unconfirmed transaction. */
export function reserve(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { pending: amount });
}

/** Takes an amount that was reserved. */
export function spend(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { balance: -amount, pending: -amount });
}

/** Pays an account, which exists from then on. */
export function credit(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, COIN, {});
  change(store, account, tokenId, { balance: amount });
}

/** Counts an amount that was spent as still the sender's, in escrow. */
export function hold(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { held: amount });
}

/** Ends a hold; whoever gets the amount is credited apart. */
export function unhold(store: Store, account: string, tokenId: bigint, amount: bigint): void {
  change(store, account, tokenId, { held: -amount });
}

function change(store: Store, account: string, tokenId: bigint, by: Partial<Purse>): void {
  const before = readPurse(store, account, tokenId);
  const after = {
    balance: before.balance + (by.balance ?? 0n),
    pending: before.pending + (by.pending ?? 0n),
    held: before.held + (by.held ?? 0n),
  };
  if (after.balance < 0n || after.pending < 0n || after.held < 0n || after.pending > after.balance) {
    throw new Error(`the ledger would go below zero for token ${tokenId} of ${account}`);
  }
  store.putPurse(purseKey(account, tokenId), after);
}
