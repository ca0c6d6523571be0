import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { type ApprovalEscrowBody, approvalEscrow } from './types/approval-escrow.js';
import { type SendZbcBody, sendZbc } from './types/send-zbc.js';
import type { TransactionBase, TransactionFormat } from './types/transaction-format.js';
import { type TransferTokenBody, transferToken } from './types/transfer-token.js';

export { type ApprovalEscrowBody, decisionOf, EscrowDecision } from './types/approval-escrow.js';
export type { SendZbcBody } from './types/send-zbc.js';
export type {
  BodyField,
  Escrow,
  TokenDetails,
  TransactionBase,
  TransactionFormat,
} from './types/transaction-format.js';
export type { TransferTokenBody } from './types/transfer-token.js';

/** The only valid value of field 2. */
export const TRANSACTION_VERSION = 1;

/** The transaction types that a signer signs, for `Draft.type` and `Transaction.type`. */
export const TransactionType = {
  SendZbc: SEND_ZBC,
  TransferToken: TRANSFER_TOKEN,
  ApprovalEscrow: APPROVAL_ESCROW,
} as const;

/** A body of any type that a signer signs; `type` distinguishes the types. */
export type TransactionBody = SendZbcBody | TransferTokenBody | ApprovalEscrowBody;
/** A transfer of coins. */
export type SendZbc = TransactionBase & SendZbcBody;
/** A transfer of a token. */
export type TransferToken = TransactionBase & TransferTokenBody;
/** A decision on an escrow. */
export type ApprovalEscrow = TransactionBase & ApprovalEscrowBody;
/** A transaction of any type that a signer signs; `type` distinguishes the types. */
export type Transaction = TransactionBase & TransactionBody;

/** The formats of the types that a signer signs, by type. */
export const TRANSACTION_FORMATS: Readonly<
  Record<TransactionBody['type'], TransactionFormat<TransactionBody>>
> = {
  [SEND_ZBC]: sendZbc,
  [TRANSFER_TOKEN]: transferToken,
  [APPROVAL_ESCROW]: approvalEscrow,
};
