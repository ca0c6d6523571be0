import { Decision, toHex, transactionTypeName } from '@zbc-signer/chain';
import { formatText, type ListedTransaction, type Movement } from '@zbc-signer/host';
import type { Activity } from '@zbc-signer/web';
import { amountParts, formatUtc, localCoins } from './format.js';
import { t } from './language.js';
import type { Wallet, WalletAccount } from './wallet.js';

/** The places where a spreadsheet formula could begin. Its first character may be of half or full width. */
const FORMULA = /(?:^|[,;|\t\r\n])\s*(?=[=+@＝＋＠－-])/g;

const MOVEMENTS = 100;

/** One entry of an account's activity. */
export interface Entry {
  height: bigint | undefined;
  timestamp: bigint | undefined;
  what: string;
  /** The address of the other party. */
  other?: string | undefined;
  /** The amount with its unit; undefined if the transaction moves nothing. */
  amount?: string | undefined;
  /** The token of the amount; undefined for coins. */
  token?: string | undefined;
  isIn: boolean;
  details: [name: string, value: string][];
}

/** The newest unconfirmed transactions and the chain's own changes, because blocks list neither. */
export interface Newest {
  transactions: ListedTransaction[];
  movements: Movement[];
}

export async function readNewest({ activity, gateway }: Wallet): Promise<Newest> {
  const [transactions, movements] = await Promise.all([activity.newest(), gateway.movements(MOVEMENTS)]);
  return { transactions, movements };
}

/** The entries of an account. Each entry is made only once. */
export class Entries {
  readonly #formed = new WeakMap<object, Entry>();

  constructor(
    private readonly wallet: Wallet,
    private readonly newest: Newest,
  ) {}

  /** The entries of the blocks that were read and those of `newest`, with the newest entry first. */
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

  /** Returns an object that makes all entries again, from what is known now. */
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
  if (!activity.isVerified && amountOf(wallet, activity)[0] !== undefined)
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
  const { hash, sender, recipient, fee, message, blockHeight, timestamp, stage } = transaction;
  const { escrow, escrowState } = transaction;
  const isOwn = sender === own;
  const isApprover = !isOwn && recipient !== own;
  const [amount, token] = amountOf(wallet, transaction);
  const details: [string, string][] = [placeOf(blockHeight, stage)];
  if (!isOwn) details.push([t`From`, sender]);
  if (recipient !== undefined && recipient !== own) details.push([t`To`, recipient]);
  if (isApprover && amount !== undefined) details.push([t`Amount`, amount]);
  if (isOwn) details.push([t`Fee`, localCoins(fee)]);
  if (message !== undefined && message.length > 0) details.push([t`Message`, formatText(message)]);
  if (escrowState !== undefined) details.push([t`Escrow`, escrowState]);
  if (escrow !== undefined && recipient !== own) details.push([t`Commission`, localCoins(escrow.commission)]);
  details.push([t`Transaction`, toHex(hash)]);
  return {
    height: blockHeight,
    timestamp,
    what: isApprover ? t`Names this account as approver` : titleOf(transaction, isOwn),
    other: isOwn ? (recipient === own ? undefined : recipient) : sender,
    amount: isApprover ? undefined : amount,
    token,
    isIn: !isOwn && !isApprover,
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

/** Formats the amount of an entry as `+1.5 ZBC` or `−1.5 ZBC`; empty without an amount. */
export function signedAmount({ amount, isIn }: Entry): string {
  return amount === undefined ? '' : `${isIn ? '+' : '−'}${amount}`;
}

/** Formats the entries as a table in CSV. */
export function formatEntries(entries: readonly Entry[], nameOf: Wallet['nameOf']): string {
  const rows = entries.map(entry => {
    const { what, other = '', token = '', timestamp, details, height } = entry;
    const time = timestamp === undefined ? '' : formatUtc(timestamp);
    const rest = details.map(([name, value]) => `${name}: ${value}`).join('; ');
    return [time, `${height ?? ''}`, what, signedAmount(entry), token, other, nameOf(other) ?? '', rest];
  });
  const head = [t`Time`, t`Block`, t`What`, t`Amount`, t`Token`, t`Address`, t`Name`, t`Details`];
  return [head, ...rows].map(formatRow).join('');
}

/**
 * Formats a row. Inserts `'` where a spreadsheet would read a formula: at the start of a cell, and after each
 * character that some spreadsheet, in some language, reads as the end of a cell even inside quotes.
 */
function formatRow(cells: readonly string[]): string {
  const quoted = cells.map(cell => `"${cell.replaceAll(FORMULA, "$&'").replaceAll('"', '""')}"`);
  return `${quoted.join(',')}\r\n`;
}

function placeOf(height: bigint | undefined, stage: string | undefined): [string, string] {
  return height === undefined ? [t`State`, stage ?? t`not confirmed`] : [t`Block`, `${height}`];
}

/** Compares heights for sorting. Unconfirmed entries, which have no height, count as the newest. */
function compareHeights(one: bigint | undefined, other: bigint | undefined): number {
  if (one === other) return 0;
  return one === undefined || (other !== undefined && one > other) ? 1 : -1;
}
