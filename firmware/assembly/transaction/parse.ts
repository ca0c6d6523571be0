import { ACCOUNT_LENGTH, MAX_MESSAGE, PUBLIC_KEY_LENGTH } from '../../../protocol/src/limits';
import {
  ACCOUNT_KIND,
  BAD_VERSION,
  LINKED_SENDER_KIND,
  LINKED_TYPE,
  MESSAGE_TOO_LONG,
  RECIPIENT_MISSING,
  RECIPIENT_UNEXPECTED,
  SENDER_NOT_OWN,
  TIMESTAMP_ZERO,
  TRAILING_BYTES,
  TYPE_UNSUPPORTED,
} from '../../../protocol/src/refusal-reasons';
import { MALFORMED, SENDER_MISMATCH, TOO_LARGE, UNSUPPORTED_TYPE } from '../../../protocol/src/status-words';
import { APPROVAL_ESCROW } from '../../../protocol/src/transaction-types';
import { KIND_NONE, KIND_ZBC, payloadLength } from './account';
import { isSupportedType, parseBody } from './body';
import { Cursor, RECIPIENT_FIELD } from './cursor';
import { parseEscrow } from './escrow';
import { Transaction } from './transaction';

/**
 * Parses the transaction to sign. Its sender must be the 36 bytes at `ownAccount`
 * (docs/TRANSACTION.md#signer-rules 1), and no bytes may follow it in the buffer. The cursor holds the
 * refusal, if any.
 */
export function parseTransaction(cursor: Cursor, transaction: Transaction, ownAccount: usize): void {
  parseFields(cursor, transaction, ownAccount);
  if (cursor.position !== cursor.end) cursor.refuse(MALFORMED, TRAILING_BYTES, cursor.position);
}

/**
 * Parses fields 1 to 11 and stops after the message. The sender, or in a linked transaction the approver,
 * must equal the 36 bytes at `ownAccount`.
 */
export function parseFields(cursor: Cursor, transaction: Transaction, ownAccount: usize): void {
  parseType(cursor, transaction);
  parseVersion(cursor);
  parseTimestamp(cursor, transaction);
  parseSender(cursor, transaction, ownAccount);
  parseRecipient(cursor, transaction);
  cursor.field = 6;
  transaction.fee = cursor.u64();
  parseBody(cursor, transaction);
  parseEscrow(cursor, transaction, ownAccount);
  parseMessage(cursor, transaction);
}

function parseType(cursor: Cursor, transaction: Transaction): void {
  cursor.field = 1;
  const at = cursor.position;
  const type = cursor.u32();
  transaction.type = type;
  if (cursor.linked) {
    if (!isSupportedType(type) || type === APPROVAL_ESCROW) cursor.refuse(MALFORMED, LINKED_TYPE, at);
  } else if (!isSupportedType(type)) {
    cursor.refuse(UNSUPPORTED_TYPE, TYPE_UNSUPPORTED, at);
  }
}

function parseVersion(cursor: Cursor): void {
  cursor.field = 2;
  const at = cursor.position;
  if (cursor.u8() !== 1) cursor.refuse(MALFORMED, BAD_VERSION, at);
}

function parseTimestamp(cursor: Cursor, transaction: Transaction): void {
  cursor.field = 3;
  const at = cursor.position;
  transaction.timestamp = cursor.u64();
  if (transaction.timestamp === 0) cursor.refuse(MALFORMED, TIMESTAMP_ZERO, at);
}

function parseSender(cursor: Cursor, transaction: Transaction, ownAccount: usize): void {
  cursor.field = 4;
  const at = cursor.position;
  const sender = transaction.sender;
  sender.kind = cursor.u32();
  if (cursor.linked && sender.kind !== KIND_ZBC) cursor.refuse(MALFORMED, LINKED_SENDER_KIND, at);
  sender.payload = cursor.take(PUBLIC_KEY_LENGTH);
  sender.length = PUBLIC_KEY_LENGTH;
  if (cursor.status !== 0 || cursor.linked) return;
  if (memory.compare(at, ownAccount, ACCOUNT_LENGTH) !== 0)
    cursor.refuse(SENDER_MISMATCH, SENDER_NOT_OWN, at);
}

function parseRecipient(cursor: Cursor, transaction: Transaction): void {
  cursor.field = RECIPIENT_FIELD;
  const at = cursor.position;
  const kind = cursor.u32();
  const length = payloadLength(kind);
  const recipient = transaction.recipient;
  recipient.kind = kind;
  recipient.length = length;
  if (length < 0) cursor.refuse(MALFORMED, ACCOUNT_KIND, at);
  if (transaction.type === APPROVAL_ESCROW) {
    if (kind !== KIND_NONE) cursor.refuse(MALFORMED, RECIPIENT_UNEXPECTED, at);
  } else if (kind === KIND_NONE) {
    cursor.refuse(MALFORMED, RECIPIENT_MISSING, at);
  }
  recipient.payload = cursor.take(length);
}

function parseMessage(cursor: Cursor, transaction: Transaction): void {
  cursor.field = 10;
  const at = cursor.position;
  const length = cursor.u32();
  if (!cursor.linked && length > <u32>MAX_MESSAGE) cursor.refuse(TOO_LARGE, MESSAGE_TOO_LONG, at);
  transaction.messageLength = length;
  cursor.field = 11;
  transaction.message = cursor.take(length);
}
