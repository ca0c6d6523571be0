import { toHex } from '@zbc-signer/chain';
import type {
  Balance,
  Contact,
  NodeInfo,
  PendingPayment,
  ResumedPayment,
  SignerVersion,
  Token,
  TokenBalance,
} from '@zbc-signer/host';
import type { SharedSigner } from '@zbc-signer/web';
import { PageError } from './words.js';

/** An account of the device. `balance` is undefined until the gateway has answered. */
export interface WalletAccount {
  index: number;
  address: string;
  publicKey: Uint8Array;
  balance?: Balance | undefined;
  tokens: TokenBalance[];
  /** The error of the last attempt to read the holdings; undefined after a success. */
  error?: unknown;
}

/** What the page knows. The views read it; the functions that read the chain and the signer change it. */
export interface WalletState {
  chain?: NodeInfo;
  /** The first chain that the gateway reported to this browser. The page signs only for this chain. */
  genesisHash?: Uint8Array | undefined;
  chainError?: unknown;
  hasFaucet: boolean;
  tokens: readonly Token[];
  signer?: SharedSigner | undefined;
  version?: SignerVersion | undefined;
  deviceError?: unknown;
  /** A review that was left open. The title is undefined if another program has opened it. */
  leftOpen?: { title: string | undefined; isOnScreen: boolean } | undefined;
  accounts: readonly WalletAccount[];
  /** The index of the account that the page shows. */
  selected: number;
  isDiscovering: boolean;
  /** The contacts for this chain whose proofs the connected device has accepted, by name. */
  contacts: readonly Contact[];
  /** The browser's other contacts for this chain: of another seed, or changed since. */
  unprovedContacts: readonly Contact[];
  /** The error of the last reading of the contacts. */
  contactsError?: unknown;
  /** Payments of this chain whose outcome is unknown, except those that this or another tab is sending. */
  unsettled: readonly PendingPayment[];
  /** The outcomes that the last check of unsettled payments found, until the user has seen them. */
  resumed: readonly ResumedPayment[];
  isResuming: boolean;
  /** The error of the journal's last read. */
  journalError?: unknown;
}

/** The account that the page shows. */
export function shownAccount({ accounts, selected }: WalletState): WalletAccount | undefined {
  return accounts[selected];
}

/** The account that the page shows. Throws if it shows none. */
export function openAccount(state: WalletState): WalletAccount {
  const account = shownAccount(state);
  if (account === undefined) throw new Error('no account is open');
  return account;
}

/** The connected signer. Throws if none is connected. */
export function openSigner({ signer }: WalletState): SharedSigner {
  if (signer === undefined) throw new PageError('connect the signer first');
  return signer;
}

/** The error of the last reads of the chain and of the account, whichever failed. */
export function gatewayError(state: WalletState): unknown {
  return state.chainError ?? shownAccount(state)?.error;
}

/** Whether the gateway now serves a chain other than the first. */
export function isChainChanged({ genesisHash: first, chain }: WalletState): boolean {
  const now = chain?.genesisHash;
  return first !== undefined && now !== undefined && toHex(first) !== toHex(now);
}
