import { HASH_LENGTH } from '../../../../protocol/src/limits';
import { BAD_APPROVAL } from '../../../../protocol/src/refusal-reasons';
import { MALFORMED } from '../../../../protocol/src/status-words';
import { Cursor } from '../cursor';
import { Transaction } from '../transaction';

export const APPROVAL_ESCROW_BODY = 36;
export const APPROVE: u32 = 0;
const REJECT: u32 = 1;

/** Parses the body of type 4: approval u32, hash of the escrowed transaction. */
export function parseApprovalEscrowBody(cursor: Cursor, transaction: Transaction): void {
  const approvalAt = cursor.position;
  transaction.approval = cursor.u32();
  if (transaction.approval > REJECT) cursor.refuse(MALFORMED, BAD_APPROVAL, approvalAt);
  transaction.escrowHash = cursor.take(HASH_LENGTH);
}
