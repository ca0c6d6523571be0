import { Decision, toHex, transactionTypeName } from '@zbc-signer/chain';
import { formatText, type ListedTransaction, type Movement } from '@zbc-signer/host';
import type { Activity } from '@zbc-signer/web';
import { amountParts, localCoins } from './format.js';
import { t } from './language.js';
import type { Wallet, WalletAccount } from './wallet.js';

const MOVEMENTS = 100;

/** One entry of an account's activity. */
export interface Entry {
  height: bigint | undefined;
  timestamp: bigint | undefined;
  what: string;
  /** The address of the other party. */
  other?: string | undefined;
  /** Undefined if the transaction moves nothing. */
  amount?: string | undefined;
  /** The token of the amount; undefined for coins. */
  token?: string | undefined;
  isIn: boolean;
  details: [name: string, value: string][];
}

/** The chain's newest changes: no block lists unconfirmed transactions or what the chain did by itself. */
export interface Newest {
  transactions: ListedTransaction[];
  movements: Movement[];
}

export async function readNewest({ activity, gateway }: Wallet): Promise<Newest> {
  const [transactions, movements] = await Promise.all([activity.newest(), gateway.movements(MOVEMENTS)]);
  return { transactions, movements };
}

/** The entries of an account, each of which is formed once. */
export class Entries {
  readonly #formed = new WeakMap<object, Entry>();

  constructor(
    private readonly wallet: Wallet,
    private readonly newest: Newest,
  ) {}

  /** Newest first: the entries of the blocks that were read, and of `newest`. */
  of({ address }: WalletAccount): Entry[] {
    const { wallet } = this;
    const { transactions, movements } = this.newest;
    const inBlocks = wallet.activity.of(address);
    const known = new Set(inBlocks.map(({ hash }) => toHex(hash)));
    const others = transactions.filter(
      ({ hash, sender, recipient }) =>
        (sender === address || recipient === address) && !known.has(toHex(hash)),
    );
    const own = movements.filter(({ account }) => account === address);
    const entries = [
      ...own.map(movement => this.#once(movement, () => ofMovement(wallet, movement))),
      ...others.map(each => this.#once(each, () => ofTransaction(wallet, each, address))),
      ...inBlocks.map(each => this.#once(each, () => ofActivity(wallet, each, address))),
    ];
    return entries.sort((one, other) => compareHeights(other.height, one.height));
  }

  /** Forms the entries again, from all that is known by now. */
  anew(): Entries {
    return new Entries(this.wallet, this.newest);
  }

  #once(source: object, form: () => Entry): Entry {
    const entry = this.#formed.get(source) ?? form();
    this.#formed.set(source, entry);
    return entry;
  }
}

function ofActivity(wallet: Wallet, activity: Activity, own: string): Entry {
  const entry = ofTransaction(wallet, { ...activity, blockHeight: activity.height }, own);
  if (!activity.isVerified && entry.amount !== undefined)
    entry.details.push([t`Not verified`, t`its hash is not that of these fields`]);
  return entry;
}

function ofMovement(wallet: Wallet, movement: Movement): Entry {
  const { kind, tokenId, blockHeight, timestamp, transactionHash } = movement;
  const [amount, token] = amountParts(tokenId, movement.amount, wallet.tokens);
  return {
    height: blockHeight,
    timestamp,
    what: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    amount,
    token,
    isIn: true,
    details: [
      placeOf(blockHeight, undefined),
      ...(transactionHash === undefined
        ? []
        : [[t`Transaction`, toHex(transactionHash)] as [string, string]]),
    ],
  };
}

function ofTransaction(wallet: Wallet, transaction: ListedTransaction, own: string): Entry {
  const { hash, sender, recipient, fee, message, blockHeight, timestamp, stage, escrowState } = transaction;
  const isOwn = sender === own;
  const [amount, token] = amountOf(wallet, transaction);
  const details: [string, string][] = [placeOf(blockHeight, stage)];
  if (!isOwn) details.push([t`From`, sender]);
  if (isOwn && recipient !== undefined) details.push([t`To`, recipient]);
  if (isOwn) details.push([t`Fee`, localCoins(fee)]);
  if (message !== undefined && message.length > 0) details.push([t`Message`, formatText(message)]);
  if (escrowState !== undefined) details.push([t`Escrow`, escrowState]);
  details.push([t`Transaction`, toHex(hash)]);
  return {
    height: blockHeight,
    timestamp,
    what: titleOf(transaction, isOwn),
    other: isOwn ? (recipient === own ? undefined : recipient) : sender,
    amount,
    token,
    isIn: !isOwn,
    details,
  };
}

function titleOf({ type, content, sender, recipient }: ListedTransaction, isOwn: boolean): string {
  if (content.kind === 'decision')
    return content.approval === Decision.Approve ? t`Approved an escrow` : t`Rejected an escrow`;
  if (content.kind === 'other') return transactionTypeName(type);
  return sender === recipient ? t`Sent to itself` : isOwn ? t`Sent` : t`Received`;
}

function amountOf({ tokens }: Wallet, { content }: ListedTransaction): [amount?: string, token?: string] {
  if (content.kind === 'coins') return amountParts(0n, content.amount, tokens);
  return content.kind === 'token' ? amountParts(content.tokenId, content.amount, tokens) : [];
}

function placeOf(height: bigint | undefined, stage: string | undefined): [string, string] {
  return height === undefined ? [t`State`, stage ?? t`not confirmed`] : [t`Block`, `${height}`];
}

/** Unconfirmed entries are the newest. */
function compareHeights(one: bigint | undefined, other: bigint | undefined): number {
  if (one === other) return 0;
  return one === undefined || (other !== undefined && one > other) ? 1 : -1;
}
