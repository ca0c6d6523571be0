import { encodeAddress, formatAccount, fromHex, toHex } from '@zbc-signer/chain';
import type { SharedSigner } from '@zbc-signer/web';
import { localCoins, tailOf } from './format.js';
import { openSigner, shownAccount, type WalletAccount } from './state.js';
import { readStored, store } from './storage.js';
import type { Wallet } from './wallet.js';

const ACCOUNTS_KEY = 'zbc-wallet accounts';
const WATCHED_KEY = 'zbc-wallet watched';
const MAX_ACCOUNTS = 20;
/** The search for accounts ends after this number of consecutive accounts that the chain does not know. */
const GAP = 5;

export function selectAccount(wallet: Wallet, selected: number): void {
  wallet.change({ selected });
  void readHoldings(wallet);
}

export async function addAccount(wallet: Wallet): Promise<void> {
  const { accounts, isDiscovering } = wallet.state;
  if (accounts.length >= MAX_ACCOUNTS || isDiscovering) return;
  const added = await readAccount(openSigner(wallet.state), accounts.length);
  keepAccounts(wallet, [...accounts, added]);
  selectAccount(wallet, added.index);
}

/** Adds the accounts of the signer that the chain knows. */
export async function discoverAccounts(wallet: Wallet): Promise<void> {
  const { state, gateway } = wallet;
  if (state.isDiscovering) return;
  const signer = openSigner(state);
  wallet.change({ isDiscovering: true });
  const found = [...state.accounts];
  try {
    let end = found.length;
    while (found.length < Math.min(end + GAP, MAX_ACCOUNTS)) {
      const account = await readAccount(signer, found.length);
      found.push(account);
      if ((await gateway.account(account.address)) !== undefined) end = found.length;
    }
    // Another device may have been connected meanwhile.
    if (signer === state.signer && state.accounts[0] === found[0]) keepAccounts(wallet, found.slice(0, end));
  } finally {
    wallet.change({ isDiscovering: false });
  }
}

/** Whether the user has listed the accounts of this browser before. */
export function hasListed({ browser }: Wallet): boolean {
  return readStored(browser.storage, ACCOUNTS_KEY) !== '';
}

/** Whether the accounts are shown without the signer. */
export function isWatching({ browser }: Wallet): boolean {
  return readStored(browser.storage, WATCHED_KEY) !== '';
}

export function watchAccounts(wallet: Wallet, isOn: boolean): void {
  const keys = wallet.state.accounts.map(({ publicKey }) => toHex(publicKey));
  store(wallet.browser.storage, WATCHED_KEY, isOn ? keys.join() : '');
  wallet.change();
}

/** Shows the accounts that are shown without the signer. Damaged entries are ignored. */
export function showWatched(wallet: Wallet): void {
  const keys = readStored(wallet.browser.storage, WATCHED_KEY).match(/[0-9a-f]{64}/g) ?? [];
  const accounts = keys.slice(0, MAX_ACCOUNTS).map((key, index) => {
    const publicKey = fromHex(key);
    return { index, address: encodeAddress(publicKey), publicKey, tokens: [] };
  });
  wallet.change({ accounts, selected: 0 });
}

/** The name of a proved contact, or the number of an own account without a name. */
export function nameOf({ state }: Wallet, address: string): string | undefined {
  const own = state.accounts.find(account => account.address === address);
  const contact = state.contacts.find(({ account }) => formatAccount(account) === address);
  return contact?.name ?? (own && `Account ${own.index}`);
}

/** An account in a list to choose from, such as `Account 0 …2QK4 · 1.5 ZBC`; without the amount until it is known. */
export function labelOf(wallet: Wallet, { address, balance }: WalletAccount): string {
  const spendable = balance === undefined ? '' : ` · ${localCoins(balance.spendable)}`;
  return `${nameOf(wallet, address)} ${tailOf(address)}${spendable}`;
}

/** Reads balance and tokens of the account that the page shows. */
export async function readHoldings(wallet: Wallet): Promise<void> {
  const account = shownAccount(wallet.state);
  if (account === undefined) return;
  try {
    const [balance, tokens] = await Promise.all([
      wallet.gateway.account(account.address),
      wallet.gateway.accountTokens(account.address),
    ]);
    account.balance = balance ?? { balance: 0n, spendable: 0n };
    account.tokens = tokens;
    account.error = undefined;
  } catch (error) {
    account.error = error;
  }
  wallet.change();
}

/** Reads from the signer as many accounts as the user has listed before. */
export async function readAccounts(
  { state, browser }: Wallet,
  signer: SharedSigner,
): Promise<WalletAccount[]> {
  const listed = Number(readStored(browser.storage, ACCOUNTS_KEY));
  const count = Number.isInteger(listed) && listed >= 1 && listed <= MAX_ACCOUNTS ? listed : 1;
  const accounts: WalletAccount[] = [];
  for (let index = 0; index < count; index++) {
    const account = await readAccount(signer, index);
    accounts.push(state.accounts.find(({ address }) => address === account.address) ?? account);
  }
  return accounts;
}

function keepAccounts(wallet: Wallet, accounts: WalletAccount[]): void {
  wallet.change({ accounts });
  store(wallet.browser.storage, ACCOUNTS_KEY, `${accounts.length}`);
  if (isWatching(wallet)) watchAccounts(wallet, true);
}

async function readAccount(signer: SharedSigner, index: number): Promise<WalletAccount> {
  const { address, publicKey } = await signer.run(device => device.getPublicKey(index));
  return { index, address, publicKey, tokens: [] };
}
