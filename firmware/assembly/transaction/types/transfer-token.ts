import { FEE_IN_TOKEN, TOKEN_AMOUNT_NEGATIVE, TOKEN_ID_ZERO } from '../../../../protocol/src/refusal-reasons';
import { MALFORMED } from '../../../../protocol/src/status-words';
import { Cursor } from '../cursor';
import { FEE_IN_TOKEN_ABSENT, Transaction } from '../transaction';

export const TRANSFER_TOKEN_BODY = 16;
export const TRANSFER_TOKEN_BODY_WITH_FLAG = 17;

/**
 * Parses the body of type 11: token id i64, amount i64, and an optional flag for paying the fee in tokens.
 */
export function parseTransferTokenBody(cursor: Cursor, transaction: Transaction, length: i32): void {
  const idAt = cursor.position;
  transaction.tokenId = <i64>cursor.u64();
  if (transaction.tokenId === 0) cursor.refuse(MALFORMED, TOKEN_ID_ZERO, idAt);
  const amountAt = cursor.position;
  transaction.amount = cursor.u64();
  if (<i64>transaction.amount < 0) cursor.refuse(MALFORMED, TOKEN_AMOUNT_NEGATIVE, amountAt);
  transaction.feeInToken = FEE_IN_TOKEN_ABSENT;
  if (length !== TRANSFER_TOKEN_BODY_WITH_FLAG) return;
  const flagAt = cursor.position;
  transaction.feeInToken = cursor.u8();
  if (transaction.feeInToken > 1) cursor.refuse(MALFORMED, FEE_IN_TOKEN, flagAt);
}
