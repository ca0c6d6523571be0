import { BODY_LENGTH } from '../../../protocol/src/refusal-reasons';
import { MALFORMED } from '../../../protocol/src/status-words';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/src/transaction-types';
import { Cursor } from './cursor';
import { Transaction } from './transaction';
import { APPROVAL_ESCROW_BODY, parseApprovalEscrowBody } from './types/approval-escrow';
import { parseSendZbcBody, SEND_ZBC_BODY } from './types/send-zbc';
import {
  parseTransferTokenBody,
  TRANSFER_TOKEN_BODY,
  TRANSFER_TOKEN_BODY_WITH_FLAG,
} from './types/transfer-token';

export const TYPE_COUNT = 3;

/** Returns the type at `index` in the list of supported types, which is in ascending order. */
export function typeAt(index: i32): u32 {
  if (index === 0) return SEND_ZBC;
  if (index === 1) return APPROVAL_ESCROW;
  if (index === 2) return TRANSFER_TOKEN;
  unreachable();
  return 0;
}

export function isSupportedType(type: u32): bool {
  for (let i = 0; i < TYPE_COUNT; i++) {
    if (typeAt(i) === type) return true;
  }
  return false;
}

/**
 * Parses fields 7 and 8: the length of the body, and the body. The type determines the length
 * (docs/TRANSACTION.md#signer-rules 3).
 */
export function parseBody(cursor: Cursor, transaction: Transaction): void {
  cursor.field = 7;
  const lengthAt = cursor.position;
  const length = cursor.u32();
  if (!isBodyLength(transaction.type, length)) cursor.refuse(MALFORMED, BODY_LENGTH, lengthAt);
  cursor.field = 8;
  if (cursor.status === 0) parseFieldsOfBody(cursor, transaction, length);
}

function isBodyLength(type: u32, length: u32): bool {
  switch (type) {
    case SEND_ZBC:
      return length === SEND_ZBC_BODY;
    case APPROVAL_ESCROW:
      return length === APPROVAL_ESCROW_BODY;
    case TRANSFER_TOKEN:
      return length === TRANSFER_TOKEN_BODY || length === TRANSFER_TOKEN_BODY_WITH_FLAG;
    default:
      return false;
  }
}

function parseFieldsOfBody(cursor: Cursor, transaction: Transaction, length: u32): void {
  if (transaction.type === SEND_ZBC) parseSendZbcBody(cursor, transaction);
  else if (transaction.type === APPROVAL_ESCROW) parseApprovalEscrowBody(cursor, transaction);
  else if (transaction.type === TRANSFER_TOKEN) parseTransferTokenBody(cursor, transaction, length);
  else unreachable();
}
