import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { formatCoinAmount } from '../amount.js';
import { toHex } from '../hex.js';
import type { TransactionFormat } from './transaction-format.js';

/**
 * A decision on an escrow, for `ApprovalDraft.approval`. The values are words, because an approval is 0 on
 * the wire, and 0 is false in a condition.
 */
export const EscrowDecision = { Approve: 'approve', Reject: 'reject' } as const;
/** `approve` or `reject`. */
export type EscrowDecision = (typeof EscrowDecision)[keyof typeof EscrowDecision];

/** Decisions by their number on the wire. */
const DECISIONS: readonly EscrowDecision[] = [EscrowDecision.Approve, EscrowDecision.Reject];

/** Returns the decision that a number on the wire stands for; undefined for an invalid number. */
export function decisionOf(wire: number): EscrowDecision | undefined {
  return DECISIONS[wire];
}

/** The body of a decision on an escrow; `escrowHash` is the 32-byte hash of the escrowed transaction. */
export interface ApprovalEscrowBody {
  type: typeof APPROVAL_ESCROW;
  approval: EscrowDecision;
  escrowHash: Uint8Array;
}

export const approvalEscrow: TransactionFormat<ApprovalEscrowBody> = {
  shownName: 'Approve escrow',
  isPayment: false,
  bodyLengths: [36],

  read(reader) {
    const start = reader.offset;
    const approval = decisionOf(reader.u32());
    if (approval === undefined) return reader.refuse('bad-approval', start);
    return { type: APPROVAL_ESCROW, approval, escrowHash: reader.take(HASH_LENGTH) };
  },

  write(writer, { approval, escrowHash }) {
    writer.u32(DECISIONS.indexOf(approval)).bytes(escrowHash);
  },

  fields({ approval, escrowHash }) {
    const hash = toHex(escrowHash);
    return [
      { key: 'approval', value: approval, name: 'Decision', text: approval },
      { key: 'escrowed_transaction_hash', value: hash, name: 'Escrowed transaction', text: hash },
    ];
  },

  coinsLeaving({ fee }) {
    return fee;
  },

  itemsBeforeMessage() {
    return [];
  },

  itemsAfterEscrow({ approval, fee }, _token, linked) {
    return [
      ['Escrow decision', approval === EscrowDecision.Approve ? 'APPROVE' : 'REJECT'],
      ...linked,
      ['Fee', formatCoinAmount(fee)],
    ];
  },

  itemsInEscrow() {
    return [];
  },
};
