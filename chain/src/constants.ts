import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';

/** The transaction types that a signer signs, for `Draft.type` and `Transaction.type`. */
export const TransactionType = {
  SendZbc: SEND_ZBC,
  TransferToken: TRANSFER_TOKEN,
  ApprovalEscrow: APPROVAL_ESCROW,
} as const;

/** A decision on an escrow, for `ApprovalDraft.approval`. */
export const Decision = { Approve: 0, Reject: 1 } as const;
