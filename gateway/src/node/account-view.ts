import { type Account, encodeAccount, encodeAddress, KIND_ZBC, toHex } from '../../../chain/src/index.js';
import { COIN, findToken, type Token } from './genesis.js';
import { accountExists, readPurse, spendable } from './ledger.js';
import type { Purse } from './records.js';
import type { Store } from './store.js';

/** The account's JSON, undefined when nothing was ever paid to it; `balance` is `spendable_balance + locked_balance`. */
export function viewAccount(store: Store, account: Account): Record<string, unknown> | undefined {
  const hex = toHex(encodeAccount(account));
  if (!accountExists(store, hex)) {
    return undefined;
  }
  return { ...viewName(account), ...viewPurse(readPurse(store, hex, COIN)) };
}

/** The tokens that the account holds or has locked; undefined for an unknown account. */
export function viewAccountTokens(store: Store, account: Account): Record<string, unknown> | undefined {
  const hex = toHex(encodeAccount(account));
  if (!accountExists(store, hex)) {
    return undefined;
  }
  return { ...viewName(account), tokens: viewHoldings(store, hex) };
}

function viewHoldings(store: Store, hex: string) {
  // '0' follows '/' in ASCII: the range is all the keys that start with the account.
  return store.purses
    .entries({ start: `${hex}/`, end: `${hex}0` })
    .map(({ key, value }) => ({ id: BigInt(key.slice(hex.length + 1)), purse: value }))
    .filter(({ id, purse }) => id !== COIN && purse.balance + purse.held > 0n)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, purse }) => ({ ...viewToken(findToken(id)!), ...viewPurse(purse) }));
}

/** The token's JSON; ids and supplies go past 2^53. */
export function viewToken({ id, name, symbol, decimals, supply }: Token) {
  return { token_id: id, name, symbol, decimals, supply };
}

function viewName(account: Account) {
  const hex = toHex(encodeAccount(account));
  const address = account.kind === KIND_ZBC ? encodeAddress(account.payload) : hex;
  return { address, account_hex: hex };
}

function viewPurse(purse: Purse) {
  return {
    balance: purse.balance + purse.held,
    spendable_balance: spendable(purse),
    locked_balance: purse.pending + purse.held,
  };
}
