import type { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { Account } from './account.js';

/** Amounts in atomic units, `timeout` in Unix seconds. */
export interface Escrow {
  approver: Account;
  commission: bigint;
  timeout: bigint;
  instruction: Uint8Array;
  multiParty: boolean;
}

/** The fields of every type: `timestamp` in Unix seconds, `fee` in atomic units, `message` empty for none. */
export interface TransactionBase {
  timestamp: bigint;
  sender: Account;
  recipient: Account;
  fee: bigint;
  escrow?: Escrow;
  message: Uint8Array;
}

/** The body of a transfer of coins; `amount` in atomic units, at most 2^64 - 1. */
export interface SendZbcBody {
  type: typeof SEND_ZBC;
  amount: bigint;
}

/** `amount` in atomic units. The body is 16 bytes without `feeInToken`, 17 with it. */
export interface TransferTokenBody {
  type: typeof TRANSFER_TOKEN;
  tokenId: bigint;
  amount: bigint;
  feeInToken?: boolean;
}

/** `approval` 0 approves and 1 rejects; `escrowHash` is the 32-byte hash of the escrowed transaction. */
export interface ApprovalEscrowBody {
  type: typeof APPROVAL_ESCROW;
  approval: 0 | 1;
  escrowHash: Uint8Array;
}

/** A body of any type that a signer signs; `type` says which. */
export type TransactionBody = SendZbcBody | TransferTokenBody | ApprovalEscrowBody;
/** A transfer of coins. */
export type SendZbc = TransactionBase & SendZbcBody;
/** A transfer of a token. */
export type TransferToken = TransactionBase & TransferTokenBody;
/** A decision on an escrow. */
export type ApprovalEscrow = TransactionBase & ApprovalEscrowBody;
/** A transaction of any type that a signer signs; `type` says which. */
export type Transaction = SendZbc | TransferToken | ApprovalEscrow;

/** The only valid value of field 2. */
export const TRANSACTION_VERSION = 1;
