import { ACCOUNT_LENGTH, MAX_INSTRUCTION, PUBLIC_KEY_LENGTH } from '../../../protocol/src/limits';
import {
  ACCOUNT_KIND,
  ESCROW_TIMEOUT,
  ESCROW_UNEXPECTED,
  INSTRUCTION_TOO_LONG,
  LINKED_APPROVER,
  LINKED_WITHOUT_ESCROW,
  MULTI_PARTY,
} from '../../../protocol/src/refusal-reasons';
import { MALFORMED, SENDER_MISMATCH, TOO_LARGE } from '../../../protocol/src/status-words';
import { APPROVAL_ESCROW } from '../../../protocol/src/transaction-types';
import { KIND_NONE, payloadLength } from './account';
import { APPROVER_FIELD, Cursor } from './cursor';
import { Transaction } from './transaction';

/** Parses field 9: the marker that stands for "no escrow", or an escrow block. */
export function parseEscrow(cursor: Cursor, transaction: Transaction, ownAccount: usize): void {
  cursor.field = APPROVER_FIELD;
  const at = cursor.position;
  const kind = cursor.u32();
  transaction.hasEscrow = kind !== KIND_NONE;
  if (!transaction.hasEscrow) {
    if (cursor.linked) cursor.refuse(MALFORMED, LINKED_WITHOUT_ESCROW, at);
    return;
  }
  // The screens of an ApprovalEscrow's own escrow would have the same titles as those of the escrow it
  // decides.
  if (transaction.type === APPROVAL_ESCROW) cursor.refuse(MALFORMED, ESCROW_UNEXPECTED, at);
  parseApprover(cursor, transaction, kind, at, ownAccount);
  parseTerms(cursor, transaction);
  parseInstruction(cursor, transaction);
  parseMultiParty(cursor, transaction);
}

function parseApprover(
  cursor: Cursor,
  transaction: Transaction,
  kind: u32,
  at: usize,
  ownAccount: usize,
): void {
  // An approver has 36 bytes, including the kind, so only kinds with a payload of 32 bytes are allowed
  // (docs/TRANSACTION.md#escrow-block).
  if (payloadLength(kind) !== PUBLIC_KEY_LENGTH) cursor.refuse(MALFORMED, ACCOUNT_KIND, at);
  const approver = transaction.approver;
  approver.kind = kind;
  approver.length = PUBLIC_KEY_LENGTH;
  approver.payload = cursor.take(PUBLIC_KEY_LENGTH);
  if (cursor.status !== 0 || !cursor.linked) return;
  if (memory.compare(at, ownAccount, ACCOUNT_LENGTH) !== 0)
    cursor.refuse(SENDER_MISMATCH, LINKED_APPROVER, at);
}

function parseTerms(cursor: Cursor, transaction: Transaction): void {
  transaction.commission = cursor.u64();
  const timeoutAt = cursor.position;
  transaction.timeout = cursor.u64();
  if (!cursor.linked && transaction.timeout <= transaction.timestamp) {
    cursor.refuse(MALFORMED, ESCROW_TIMEOUT, timeoutAt);
  }
}

function parseInstruction(cursor: Cursor, transaction: Transaction): void {
  const lengthAt = cursor.position;
  const length = cursor.u32();
  if (!cursor.linked && length > <u32>MAX_INSTRUCTION)
    cursor.refuse(TOO_LARGE, INSTRUCTION_TOO_LONG, lengthAt);
  transaction.instructionLength = length;
  transaction.instruction = cursor.take(length);
}

function parseMultiParty(cursor: Cursor, transaction: Transaction): void {
  const at = cursor.position;
  const flag = cursor.u8();
  if (flag > 1) cursor.refuse(MALFORMED, MULTI_PARTY, at);
  transaction.multiParty = flag === 1;
}
