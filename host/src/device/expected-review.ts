import { sha3_256 } from '@noble/hashes/sha3.js';
import {
  type Escrow,
  formatAccount,
  formatCoinAmount,
  formatTime,
  type ReviewItem,
  type TokenDetails,
  TRANSACTION_FORMATS,
  type Transaction,
  toHex,
} from '@zbc-signer/chain';
import { networkName } from '../networks.js';
import type { TransactionContacts } from './contact.js';

/** The subject of a review; `genesisHash` is 32 bytes. */
export interface ReviewSubject {
  genesisHash: Uint8Array;
  transaction: Transaction;
  /** The escrowed transaction of an ApprovalEscrow. */
  linked?: Transaction | undefined;
  token?: TokenDetails | undefined;
  contacts?: TransactionContacts | undefined;
}

/** The items that the signer must show for the transaction, for the user to compare. */
export function expectedReview({
  genesisHash,
  transaction,
  linked,
  token,
  contacts,
}: ReviewSubject): ReviewItem[] {
  const format = TRANSACTION_FORMATS[transaction.type];
  const items: ReviewItem[] = [
    ['Network', networkName(genesisHash)],
    ['Type', format.shownName],
    ...format.itemsBeforeMessage(transaction),
    ...textItem('Message', transaction.message),
    ...escrowItems(transaction.escrow),
    ...format.itemsAfterEscrow(transaction, token ?? {}, linked === undefined ? [] : linkedItems(linked)),
  ];
  return items.flatMap(item => [...contactItem(item, contacts), item]);
}

/** The name of a contact comes before the account. */
function contactItem([title]: ReviewItem, { recipient, approver }: TransactionContacts = {}): ReviewItem[] {
  const isRecipient = title === 'Recipient' || title === 'Escrow recipient';
  if (isRecipient && recipient !== undefined) return [['Recipient contact', recipient.name]];
  if (title === 'Escrow approver' && approver !== undefined) return [['Approver contact', approver.name]];
  return [];
}

function linkedItems(linked: Transaction): ReviewItem[] {
  const format = TRANSACTION_FORMATS[linked.type];
  return [
    ['Escrow type', format.shownName],
    ...format.itemsInEscrow(linked),
    ['Escrow sender', formatAccount(linked.sender)],
    ['Escrow recipient', formatAccount(linked.recipient)],
    // The device does not show its own account as approver.
    ...escrowItems(linked.escrow).slice(1),
    ...textItem('Escrow message', linked.message),
  ];
}

function escrowItems(escrow: Escrow | undefined): ReviewItem[] {
  if (escrow === undefined) return [];
  return [
    ['Escrow approver', formatAccount(escrow.approver)],
    ['Escrow commission', formatCoinAmount(escrow.commission)],
    ['Escrow timeout', formatTime(escrow.timeout)],
    ...textItem('Escrow instruction', escrow.instruction),
    ...(escrow.multiParty ? [['Escrow multi-party', 'Yes'] satisfies ReviewItem] : []),
  ];
}

function textItem(title: string, bytes: Uint8Array): ReviewItem[] {
  return bytes.length === 0 ? [] : [[title, formatText(bytes)]];
}

/** Formats printable ASCII and line feeds as text; other bytes as `N bytes (binary) hhhhhhhh`. */
export function formatText(bytes: Uint8Array): string {
  return bytes.every(byte => byte === 0x0a || (byte >= 0x20 && byte <= 0x7e))
    ? String.fromCharCode(...bytes)
    : `${bytes.length} bytes (binary) ${toHex(sha3_256(bytes)).slice(0, 8)}`;
}
