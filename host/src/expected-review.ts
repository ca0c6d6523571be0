import { sha3_256 } from '@noble/hashes/sha3.js';
import {
  type ApprovalEscrow,
  type Escrow,
  formatAccount,
  formatCoins,
  formatUnits,
  type Transaction,
  type TransferToken,
  toHex,
} from '../../chain/src/index.js';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../protocol/transaction-types.js';
import { networkName } from './networks.js';
import type { TokenDetails } from './upload-header.js';

/** One item of a review, its pages joined. */
export type ReviewItem = [title: string, value: string];

export interface ReviewSubject {
  genesisHash: Uint8Array;
  transaction: Transaction;
  /** For an ApprovalEscrow, the escrowed transaction. */
  linked?: Transaction | undefined;
  token?: TokenDetails | undefined;
}

const TYPE_NAMES: Readonly<Record<Transaction['type'], string>> = {
  [SEND_ZBC]: 'Send ZBC',
  [TRANSFER_TOKEN]: 'Send token',
  [APPROVAL_ESCROW]: 'Approve escrow',
};
/** 9999-12-31 23:59:59 UTC. */
const LAST_DATE_SECONDS = 253402300799n;

/** What a signer has to show for the transaction, item by item (signer-protocol §3), so that a person can compare. */
export function expectedReview({ genesisHash, transaction, linked, token }: ReviewSubject): ReviewItem[] {
  return [
    ['Network', networkName(toHex(genesisHash))],
    ['Type', TYPE_NAMES[transaction.type]],
    ...transferItems(transaction),
    ...textItem('Message', transaction.message),
    ...escrowItems(transaction.escrow),
    ...(transaction.type === TRANSFER_TOKEN ? tokenItems(transaction, token ?? {}) : []),
    ...(transaction.type === APPROVAL_ESCROW ? approvalItems(transaction, linked) : []),
  ];
}

function transferItems(transaction: Transaction): ReviewItem[] {
  const recipient: ReviewItem = ['Recipient', formatAccount(transaction.recipient)];
  const fee: ReviewItem = ['Fee', coins(transaction.fee)];
  switch (transaction.type) {
    case SEND_ZBC:
      return [
        ['Amount', coins(transaction.amount)],
        recipient,
        fee,
        ['Total leaving', coins(transaction.amount + transaction.fee)],
      ];
    case TRANSFER_TOKEN:
      return [recipient, fee];
    case APPROVAL_ESCROW:
      return [];
  }
}

function tokenItems({ tokenId, amount, feeInToken }: TransferToken, token: TokenDetails): ReviewItem[] {
  return [
    ['Token', `${tokenId}`],
    ['Token amount', units(amount)],
    ...(token.decimals === undefined && token.symbol === undefined
      ? []
      : [['As reported by the app', reportedAmount(amount, token)] satisfies ReviewItem]),
    ...(feeInToken === undefined ? [] : [['Fee in token', feeInToken ? 'Yes' : 'No'] satisfies ReviewItem]),
  ];
}

function reportedAmount(amount: bigint, { decimals, symbol }: TokenDetails): string {
  const scaled = decimals === undefined ? units(amount) : formatUnits(amount, decimals);
  return symbol === undefined ? scaled : `${scaled} ${symbol}`;
}

function approvalItems({ approval, fee }: ApprovalEscrow, linked: Transaction | undefined): ReviewItem[] {
  return [
    ['Escrow decision', approval === 0 ? 'APPROVE' : 'REJECT'],
    ...(linked === undefined ? [] : linkedItems(linked)),
    ['Fee', coins(fee)],
  ];
}

function linkedItems(linked: Transaction): ReviewItem[] {
  return [
    ['Escrow type', TYPE_NAMES[linked.type]],
    ...linkedAmountItems(linked),
    ['Escrow sender', formatAccount(linked.sender)],
    ['Escrow recipient', formatAccount(linked.recipient)],
    // The approver is the device itself.
    ...escrowItems(linked.escrow).slice(1),
    ...textItem('Escrow message', linked.message),
  ];
}

function linkedAmountItems(linked: Transaction): ReviewItem[] {
  switch (linked.type) {
    case SEND_ZBC:
      return [['Escrow amount', coins(linked.amount)]];
    case TRANSFER_TOKEN:
      return [
        ['Escrow token', `${linked.tokenId}`],
        ['Escrow token amount', units(linked.amount)],
      ];
    case APPROVAL_ESCROW:
      return [];
  }
}

function escrowItems(escrow: Escrow | undefined): ReviewItem[] {
  if (escrow === undefined) {
    return [];
  }
  return [
    ['Escrow approver', formatAccount(escrow.approver)],
    ['Escrow commission', coins(escrow.commission)],
    ['Escrow timeout', formatTime(escrow.timeout)],
    ...textItem('Escrow instruction', escrow.instruction),
    ...(escrow.multiParty ? [['Escrow multi-party', 'Yes'] satisfies ReviewItem] : []),
  ];
}

function textItem(title: string, bytes: Uint8Array): ReviewItem[] {
  return bytes.length === 0 ? [] : [[title, formatText(bytes)]];
}

/** The text itself, or `N bytes (binary) hhhhhhhh` when it is not text as §3 defines it. */
export function formatText(bytes: Uint8Array): string {
  return bytes.every(byte => byte === 0x0a || (byte >= 0x20 && byte <= 0x7e))
    ? String.fromCharCode(...bytes)
    : `${bytes.length} bytes (binary) ${toHex(sha3_256(bytes)).slice(0, 8)}`;
}

/** `2027-01-15 08:00:00 UTC`, of Unix seconds; past the year 9999 the seconds themselves. */
export function formatTime(seconds: bigint): string {
  return seconds > LAST_DATE_SECONDS
    ? `${seconds} (Unix seconds)`
    : `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function coins(atoms: bigint): string {
  return `${formatCoins(atoms)} ZBC`;
}

function units(amount: bigint): string {
  return `${amount} atomic units`;
}
