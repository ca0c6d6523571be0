import {
  type Account,
  type Escrow,
  type EscrowDecision,
  NO_ACCOUNT,
  type Transaction,
} from '@zbc-signer/chain';
import type { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';

interface DraftBase {
  /** Atomic units. Default: the node's minimum. */
  fee?: bigint | undefined;
  message?: Uint8Array | undefined;
  escrow?: Escrow | undefined;
}

/** A transfer of coins; `amount` is in atomic units. */
export interface SendDraft extends DraftBase {
  type: typeof SEND_ZBC;
  recipient: Account;
  amount: bigint;
}

/** A transfer of a token; `amount` is in atomic units of the token. */
export interface TokenDraft extends DraftBase {
  type: typeof TRANSFER_TOKEN;
  recipient: Account;
  tokenId: bigint;
  amount: bigint;
  /**
   * The decimals with which the amount was scaled. If the chain reports other decimals, the error is
   * `TOKEN_MISMATCH`. Default: not checked.
   */
  decimals?: number | undefined;
  /** True needs the option `allowsFeeInToken`. Default: the field is absent from the transaction. */
  feeInToken?: boolean | undefined;
}

/** A decision on an escrowed transaction, which is fetched by its hash of 32 bytes. */
export interface ApprovalDraft extends Omit<DraftBase, 'escrow'> {
  type: typeof APPROVAL_ESCROW;
  approval: EscrowDecision;
  escrowHash: Uint8Array;
}

/** A transaction without sender and timestamp, and possibly without a fee. */
export type Draft = SendDraft | TokenDraft | ApprovalDraft;

interface DraftFacts {
  sender: Account;
  timestamp: bigint;
  fee: bigint;
}

/** Makes a transaction of a draft, which must be a result of `readDraft` and have no undefined fields. */
export function completeDraft(draft: Draft, { sender, timestamp, fee }: DraftFacts): Transaction {
  const { decimals: _, message = new Uint8Array(0), ...fields } = { decimals: undefined, ...draft };
  return { recipient: NO_ACCOUNT, ...fields, sender, timestamp, fee, message } as Transaction;
}
