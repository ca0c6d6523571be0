import { type Account, encodeAccount, encodeAddress, KIND_ZBC, toHex } from '@zbc-signer/chain';
import { COIN, findToken, type Token } from '../genesis.js';
import { accountExists, type LedgerReader, readBalance, spendable } from '../ledger/ledger.js';
import type { Balance } from '../store/records.js';
import type { Store } from '../store/store.js';

/**
 * Returns the account's JSON, in which `balance` = `spendable_balance` + `locked_balance`; undefined for an
 * unknown account.
 */
export function viewAccount(ledger: LedgerReader, account: Account): Record<string, unknown> | undefined {
  const hex = toHex(encodeAccount(account));
  if (!accountExists(ledger, hex)) return undefined;
  return { ...viewName(account), ...viewBalance(readBalance(ledger, hex, COIN)) };
}

/** Returns the tokens that the account holds or has locked in `ledger`; undefined for an unknown account. */
export function viewAccountTokens(
  store: Store,
  account: Account,
  ledger: LedgerReader = store,
): Record<string, unknown> | undefined {
  const hex = toHex(encodeAccount(account));
  if (!accountExists(ledger, hex)) return undefined;
  return { ...viewName(account), tokens: viewHoldings(store, hex, ledger) };
}

function viewHoldings(store: Store, hex: string, ledger: LedgerReader) {
  // '0' follows '/' in ASCII, so the range covers all keys of the account.
  return store.balances
    .entries({ start: `${hex}/`, end: `${hex}0` })
    .map(({ key }) => BigInt(key.slice(hex.length + 1)))
    .map(id => ({ id, ...readBalance(ledger, hex, id) }))
    .filter(({ id, balance, held }) => id !== COIN && balance + held > 0n)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, ...amounts }) => ({ ...viewToken(findToken(id)!), ...viewBalance(amounts) }));
}

/** Returns the token's JSON. Ids and supplies may exceed 2^53. */
export function viewToken({ id, name, symbol, decimals, supply }: Token) {
  return { token_id: id, name, symbol, decimals, supply };
}

/**
 * Returns both forms of an account. For a kind without a `ZBC_` address, `address` is the wire form in hex
 * too.
 */
export function viewName(account: Account) {
  const hex = toHex(encodeAccount(account));
  const address = account.kind === KIND_ZBC ? encodeAddress(account.payload) : hex;
  return { address, account_hex: hex };
}

function viewBalance({ balance, pending, held }: Balance) {
  return {
    balance: balance + held,
    spendable_balance: spendable({ balance, pending }),
    locked_balance: pending + held,
  };
}
