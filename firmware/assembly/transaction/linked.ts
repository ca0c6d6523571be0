import { HASH_LENGTH, SIGNATURE_LENGTH } from '../../../protocol/src/limits';
import { ESCROW_HASH, LINKED_SIGNATURE, LINKED_UNEXPECTED } from '../../../protocol/src/refusal-reasons';
import { ESCROW_HASH_MISMATCH, MALFORMED } from '../../../protocol/src/status-words';
import { APPROVAL_ESCROW } from '../../../protocol/src/transaction-types';
import { sha3_256 } from '../crypto/crypto';
import { Cursor } from './cursor';
import { parseFields } from './parse';
import { Transaction } from './transaction';

const hash: usize = memory.data(HASH_LENGTH, 8);

/**
 * Verifies `buffer`, the linked bytes, against the parsed main transaction. For an ApprovalEscrow, the buffer
 * must have the hash that the body names, and is parsed into `linked`. For every other type, the buffer must
 * be empty. The cursor holds the refusal, if any.
 */
export function parseLinked(
  cursor: Cursor,
  transaction: Transaction,
  buffer: usize,
  length: i32,
  linked: Transaction,
  ownAccount: usize,
): void {
  if (cursor.status !== 0) return;
  if (transaction.type !== APPROVAL_ESCROW) {
    cursor.open(buffer, length, true);
    if (length !== 0) cursor.refuse(MALFORMED, LINKED_UNEXPECTED, buffer);
    return;
  }
  checkEscrowHash(cursor, transaction, buffer, length);
  if (cursor.status !== 0) return;
  cursor.open(buffer, length, true);
  parseFields(cursor, linked, ownAccount);
  if (cursor.end - cursor.position !== SIGNATURE_LENGTH)
    cursor.refuse(MALFORMED, LINKED_SIGNATURE, cursor.position);
}

function checkEscrowHash(cursor: Cursor, transaction: Transaction, buffer: usize, length: i32): void {
  sha3_256(hash, buffer, length);
  if (memory.compare(hash, transaction.escrowHash, HASH_LENGTH) === 0) return;
  cursor.field = 8;
  cursor.refuse(ESCROW_HASH_MISMATCH, ESCROW_HASH, transaction.escrowHash);
}
