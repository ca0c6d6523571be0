import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import type { TransactionFormat } from './transaction-format.js';

/** `approval` 0 approves and 1 rejects; `escrowHash` is the 32-byte hash of the escrowed transaction. */
export interface ApprovalEscrowBody {
  type: typeof APPROVAL_ESCROW;
  approval: 0 | 1;
  escrowHash: Uint8Array;
}

export const approvalEscrow: TransactionFormat<ApprovalEscrowBody> = {
  shownName: 'Approve escrow',
  isPayment: false,
  bodyLengths: [36],

  read(reader) {
    const start = reader.offset;
    const approval = reader.u32();
    if (approval !== 0 && approval !== 1) return reader.refuse('bad-approval', start);
    return { type: APPROVAL_ESCROW, approval, escrowHash: reader.take(HASH_LENGTH) };
  },

  write(writer, { approval, escrowHash }) {
    writer.u32(approval).bytes(escrowHash);
  },
};
