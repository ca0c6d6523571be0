import { toHex, transactionTypeName } from '@zbc-signer/chain';
import {
  type AccountMovement,
  accountMovements,
  type BlockSpan,
  formatText,
  type GatewayClient,
  type GatewayLists,
  type ListedTransaction,
} from '@zbc-signer/host';
import type { ActivityReader } from './activity-reader.js';
import { amountParts, localCoins } from './format.js';
import { shownAccount, type WalletState } from './state.js';

const MOVEMENTS = 100;

/** One entry of an account's activity. */
export interface Entry {
  what: string;
  /** The amount with its sign and unit; undefined if the movement changes no balance. */
  amount?: string | undefined;
  /** The token of the amount; undefined for coins. */
  token?: string | undefined;
  isIn: boolean;
  details: [name: string, value: string][];
}

/** Reads what blocks do not have: unconfirmed transactions and rewards. */
export async function readLists(activity: ActivityReader, gateway: GatewayClient): Promise<GatewayLists> {
  const [transactions, movements] = await Promise.all([activity.newest(), gateway.movements(MOVEMENTS)]);
  return { transactions, movements };
}

/** The movements of the chosen account, newest first. */
export function movementsOf(
  state: WalletState,
  span: BlockSpan | undefined,
  lists: GatewayLists | undefined,
): AccountMovement[] {
  const account = shownAccount(state);
  return account === undefined ? [] : accountMovements(account.address, span, lists).reverse();
}

export function entryOf({ tokens }: WalletState, movement: AccountMovement, own: string): Entry {
  const { tokenId, amount: atoms = 0n, status, height, transactionHash, transaction } = movement;
  const [amount, token] = atoms === 0n ? [] : amountParts(tokenId, atoms < 0n ? -atoms : atoms, tokens);
  const isIn = atoms > 0n;
  return {
    what: titleOf(movement, own),
    amount: amount && `${isIn ? '+' : '−'}${amount}`,
    token,
    isIn,
    details: [
      height === undefined ? ['State', transaction?.stage ?? 'not confirmed'] : ['Block', `${height}`],
      ...(transaction === undefined ? [] : detailsOf(transaction, movement, own, tokens)),
      ...(status === 'undetermined'
        ? [['Not verified', 'the blocks do not tell what it moved'] as [string, string]]
        : []),
      ...(transactionHash === undefined ? [] : [['Transaction', toHex(transactionHash)] as [string, string]]),
    ],
  };
}

function detailsOf(
  { sender, recipient, content, message, escrow, escrowState }: ListedTransaction,
  { amount, fee, status, height }: AccountMovement,
  own: string,
  tokens: WalletState['tokens'],
): Entry['details'] {
  const details: Entry['details'] = [];
  if (sender !== own) details.push(['From', sender]);
  if (recipient !== undefined && recipient !== own) details.push(['To', recipient]);
  if (amount === 0n && (content.kind === 'coins' || content.kind === 'token')) {
    const tokenId = content.kind === 'token' ? content.tokenId : 0n;
    details.push(['Amount', amountParts(tokenId, content.amount, tokens).join(' · ')]);
  }
  if (fee > 0n) details.push(['Fee', localCoins(fee)]);
  if (message !== undefined && message.length > 0) details.push(['Message', formatText(message)]);
  if (escrow !== undefined && height !== undefined) {
    details.push(['Escrow', status === 'reported' ? (escrowState ?? status) : status]);
  }
  if (escrow !== undefined && recipient !== own) details.push(['Commission', localCoins(escrow.commission)]);
  return details;
}

function titleOf({ kind, transaction }: AccountMovement, own: string): string {
  switch (kind) {
    case 'sent':
      return 'Sent';
    case 'received':
      return 'Received';
    case 'self':
      return 'Sent to itself';
    case 'approval':
      return 'Approved an escrow';
    case 'rejection':
      return 'Rejected an escrow';
    case 'escrow':
      if (transaction?.sender === own) return 'Sent into escrow';
      return transaction?.recipient === own ? 'Escrow for this account' : 'Names this account as approver';
    case 'other':
      return transactionTypeName(transaction?.type ?? 0);
    default:
      return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  }
}
