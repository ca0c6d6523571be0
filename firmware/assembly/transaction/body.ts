import { BODY_LENGTH } from '../../../protocol/refusal-reasons';
import { MALFORMED } from '../../../protocol/status-words';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/transaction-types';
import { Cursor } from './cursor';
import { Transaction } from './transaction';
import { APPROVAL_ESCROW_BODY, parseApprovalEscrowBody } from './types/approval-escrow';
import { parseSendZbcBody, SEND_ZBC_BODY } from './types/send-zbc';
import {
  parseTransferTokenBody,
  TRANSFER_TOKEN_BODY,
  TRANSFER_TOKEN_BODY_WITH_FLAG,
} from './types/transfer-token';

/** Whether the signer knows this transaction type. */
export function isSupportedType(type: u32): bool {
  return type === SEND_ZBC || type === APPROVAL_ESCROW || type === TRANSFER_TOKEN;
}

function isBodyLength(type: u32, length: u32): bool {
  if (type === SEND_ZBC) return length === SEND_ZBC_BODY;
  if (type === APPROVAL_ESCROW) return length === APPROVAL_ESCROW_BODY;
  return length === TRANSFER_TOKEN_BODY || length === TRANSFER_TOKEN_BODY_WITH_FLAG;
}

/** Fields 7 and 8: the length must be one that the type takes, to the byte ("Signer device rules" 3). */
export function parseBody(cursor: Cursor, transaction: Transaction): void {
  cursor.field = 7;
  const lengthAt = cursor.position;
  const length = cursor.u32();
  if (!isBodyLength(transaction.type, length)) cursor.refuse(MALFORMED, BODY_LENGTH, lengthAt);
  cursor.field = 8;
  if (transaction.type === SEND_ZBC) parseSendZbcBody(cursor, transaction);
  else if (transaction.type === APPROVAL_ESCROW) parseApprovalEscrowBody(cursor, transaction);
  else parseTransferTokenBody(cursor, transaction, length);
}
