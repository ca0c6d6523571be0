import { sha3_256 } from '@noble/hashes/sha3.js';
import {
  type ApprovalEscrow,
  Decision,
  type Escrow,
  formatAccount,
  formatCoins,
  formatUnits,
  type ReviewItem,
  TRANSACTION_FORMATS,
  type Transaction,
  type TransferToken,
  toHex,
} from '@zbc-signer/chain';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { networkName } from '../networks.js';
import type { TokenDetails } from './upload-header.js';

/** What a review is about: `genesisHash` is 32 bytes. */
export interface ReviewSubject {
  genesisHash: Uint8Array;
  transaction: Transaction;
  /** For an ApprovalEscrow, the escrowed transaction. */
  linked?: Transaction | undefined;
  token?: TokenDetails | undefined;
}

/** 9999-12-31 23:59:59 UTC. */
const LAST_DATE_SECONDS = 253402300799n;

/** The items that the signer must show for the transaction, for the user to compare. */
export function expectedReview({ genesisHash, transaction, linked, token }: ReviewSubject): ReviewItem[] {
  return [
    ['Network', networkName(genesisHash)],
    ['Type', TRANSACTION_FORMATS[transaction.type].shownName],
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
    ['Escrow decision', approval === Decision.Approve ? 'APPROVE' : 'REJECT'],
    ...(linked === undefined ? [] : linkedItems(linked)),
    ['Fee', coins(fee)],
  ];
}

function linkedItems(linked: Transaction): ReviewItem[] {
  return [
    ['Escrow type', TRANSACTION_FORMATS[linked.type].shownName],
    ...linkedAmountItems(linked),
    ['Escrow sender', formatAccount(linked.sender)],
    ['Escrow recipient', formatAccount(linked.recipient)],
    // The device does not show itself as approver.
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
  if (escrow === undefined) return [];
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

/** Printable ASCII and line feeds as text; other bytes as `N bytes (binary) hhhhhhhh`. */
export function formatText(bytes: Uint8Array): string {
  return bytes.every(byte => byte === 0x0a || (byte >= 0x20 && byte <= 0x7e))
    ? String.fromCharCode(...bytes)
    : `${bytes.length} bytes (binary) ${toHex(sha3_256(bytes)).slice(0, 8)}`;
}

/** Unix seconds as `2027-01-15 08:00:00 UTC`; after the year 9999 as `N (Unix seconds)`. */
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
