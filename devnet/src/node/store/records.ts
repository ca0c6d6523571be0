// Records of the store. Accounts are wire hex, hashes lower hex, amounts atomic units, times Unix seconds.

/**
 * One account's coins or tokens. `pending`, a part of `balance`, is reserved for unconfirmed transactions;
 * `held` is in escrow.
 */
export interface Balance {
  balance: bigint;
  pending: bigint;
  held: bigint;
}

/** Stages in order (docs/gateway/routes.md#transaction-status). */
export type Stage = 'staging' | 'mempool' | 'confirmed';

/** A transaction's status; its bytes are in `Store.signed`. */
export interface TransactionRecord {
  sequence: bigint;
  stage: Stage;
  /** The confirming block's. */
  height?: bigint;
}

export type EscrowState = 'held' | 'approved' | 'rejected' | 'expired';

export interface EscrowRecord {
  state: EscrowState;
  sender: string;
  recipient: string;
  approver: string;
  tokenId: bigint;
  amount: bigint;
  commission: bigint;
  timeout: bigint;
  /** The accepted ApprovalEscrow: a second one is rejected, and the escrow no longer expires. */
  decision?: string;
}

/** A block's place in the chain. */
export interface BlockMoment {
  height: bigint;
  timestamp: bigint;
}

export interface BlockRecord extends BlockMoment {
  hash: string;
  previousHash: string;
  transactions: string[];
  /** Hashes of the escrows that expired in this block. */
  expired: string[];
}

/** A block's fees to the treasury, an approved escrow to its recipient, an escrow back to its sender. */
export type MovementKind = 'reward' | 'unlock' | 'refund';

/**
 * A change of a balance that appears in no transaction's fields (docs/gateway/routes.md#balance-movements).
 */
export interface MovementRecord extends BlockMoment {
  kind: MovementKind;
  account: string;
  tokenId: bigint;
  amount: bigint;
  /** The escrowed transaction; absent for a reward. */
  transaction?: string;
}
