import { Cursor } from '../cursor';
import { Transaction } from '../transaction';

export const SEND_ZBC_BODY = 8;

/** Parses the body of type 1: amount u64. */
export function parseSendZbcBody(cursor: Cursor, transaction: Transaction): void {
  transaction.amount = cursor.u64();
}
