import { Decision, formatCoinAmount, toHex, transactionTypeName } from '@zbc-signer/chain';
import { formatText, formatTime, type ListedTransaction, type Movement } from '@zbc-signer/host';
import { element } from '../dom.js';
import { formatAmount } from '../format.js';
import type { Wallet } from '../wallet.js';
import { fillList } from './listing.js';

const LISTED = 100;

interface Line {
  height: bigint | undefined;
  what: string;
  amount: string;
  isIn: boolean;
  details: string[];
}

/** The account's entries, newest first. */
export class HistoryView {
  constructor(private readonly wallet: Wallet) {}

  /** Asks the gateway when the section is opened. */
  async open(): Promise<void> {
    const { account } = this.wallet;
    if (account === undefined) return;
    await fillList('history', async () => (await this.#read(account.address)).map(describeLine));
  }

  async #read(own: string): Promise<Line[]> {
    const { gateway } = this.wallet;
    const [transactions, movements] = await Promise.all([
      gateway.recentTransactions(LISTED),
      gateway.movements(LISTED),
    ]);
    const lines = [
      ...movements.filter(({ account }) => account === own).map(movement => this.#ofMovement(movement)),
      ...transactions
        .filter(({ sender, recipient }) => sender === own || recipient === own)
        .map(transaction => this.#ofTransaction(transaction, own)),
    ];
    return lines.sort((one, other) => compareHeights(other.height, one.height));
  }

  #ofMovement({ kind, tokenId, amount, blockHeight, timestamp, transactionHash }: Movement): Line {
    return {
      height: blockHeight,
      what: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
      amount: formatAmount(tokenId, amount, this.wallet.tokens),
      isIn: true,
      details: [
        place(timestamp, blockHeight, undefined),
        ...(transactionHash === undefined ? [] : [`Transaction ${toHex(transactionHash)}`]),
      ],
    };
  }

  #ofTransaction(transaction: ListedTransaction, own: string): Line {
    const { hash, sender, recipient, fee, message, blockHeight, timestamp, stage, escrowState } = transaction;
    const isOwn = sender === own;
    return {
      height: blockHeight,
      what: this.#titleOf(transaction, isOwn),
      amount: this.#amountOf(transaction),
      isIn: !isOwn,
      details: [
        place(timestamp, blockHeight, stage),
        ...(isOwn && recipient !== undefined ? [`To ${recipient}`] : []),
        ...(isOwn ? [`Fee ${formatCoinAmount(fee)}`] : [`From ${sender}`]),
        ...(message === undefined || message.length === 0 ? [] : [`Message: ${formatText(message)}`]),
        ...(escrowState === undefined ? [] : [`In escrow: ${escrowState}`]),
        `Transaction ${toHex(hash)}`,
      ],
    };
  }

  #titleOf({ type, content, sender, recipient }: ListedTransaction, isOwn: boolean): string {
    if (content.kind === 'decision')
      return content.approval === Decision.Approve ? 'Approved an escrow' : 'Rejected an escrow';
    if (content.kind === 'other') return transactionTypeName(type);
    return sender === recipient ? 'Sent to itself' : isOwn ? 'Sent' : 'Received';
  }

  #amountOf({ content }: ListedTransaction): string {
    const { tokens } = this.wallet;
    if (content.kind === 'coins') return formatAmount(0n, content.amount, tokens);
    return content.kind === 'token' ? formatAmount(content.tokenId, content.amount, tokens) : '';
  }
}

function describeLine({ what, amount, isIn, details }: Line): HTMLElement {
  const signed = amount === '' ? '' : `${isIn ? '+' : '−'}${amount}`;
  const heading = element(
    'div',
    'entry',
    element('strong', '', what),
    element('span', isIn ? 'in' : '', signed),
  );
  return element('li', '', heading, ...details.map(text => element('p', 'hint wrap', text)));
}

function place(timestamp: bigint | undefined, height: bigint | undefined, stage: string | undefined): string {
  const time = timestamp === undefined ? [] : [formatTime(timestamp)];
  return [...time, height === undefined ? (stage ?? 'not confirmed') : `block ${height}`].join(' · ');
}

/** Unconfirmed entries are the newest. */
function compareHeights(one: bigint | undefined, other: bigint | undefined): number {
  if (one === other) return 0;
  return one === undefined || (other !== undefined && one > other) ? 1 : -1;
}
