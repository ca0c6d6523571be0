import { type Account, encodeAccount, encodeAddress, KIND_ZBC, toHex } from '../../../chain/src/index.js';
import { COIN, findToken, type Token } from './genesis.js';
import { accountExists, type LedgerReader, readPurse, spendable } from './ledger.js';
import type { Purse } from './records.js';
import type { Store } from './store.js';

/** The account's JSON, undefined when nothing was ever paid to it; `balance` is `spendable_balance + locked_balance`. */
export function viewAccount(ledger: LedgerReader, account: Account): Record<string, unknown> | undefined {
  const hex = toHex(encodeAccount(account));
  if (!accountExists(ledger, hex)) {
    return undefined;
  }
  return { ...viewName(account), ...viewPurse(readPurse(ledger, hex, COIN)) };
}

/** The tokens that the account holds or has locked, as `ledger` has them; undefined for an unknown account. */
export function viewAccountTokens(
  store: Store,
  account: Account,
  ledger: LedgerReader = store,
): Record<string, unknown> | undefined {
  const hex = toHex(encodeAccount(account));
  if (!accountExists(ledger, hex)) {
    return undefined;
  }
  return { ...viewName(account), tokens: viewHoldings(store, hex, ledger) };
}

function viewHoldings(store: Store, hex: string, ledger: LedgerReader) {
  // '0' follows '/' in ASCII: the range is all the keys that start with the account.
  return store.purses
    .entries({ start: `${hex}/`, end: `${hex}0` })
    .map(({ key }) => BigInt(key.slice(hex.length + 1)))
    .map(id => ({ id, purse: readPurse(ledger, hex, id) }))
    .filter(({ id, purse }) => id !== COIN && purse.balance + purse.held > 0n)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, purse }) => ({ ...viewToken(findToken(id)!), ...viewPurse(purse) }));
}

/** The token's JSON; ids and supplies go past 2^53. */
export function viewToken({ id, name, symbol, decimals, supply }: Token) {
  return { token_id: id, name, symbol, decimals, supply };
}

/** `address` is the wire hex again where the kind has no address. */
export function viewName(account: Account) {
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
