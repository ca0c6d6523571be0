// Records of the store. Accounts are in the wire form, as hex; hashes are lower-case hex; amounts are atomic
// units; times are Unix seconds.

/**
 * One account's balance of the coin or of one token. `pending` is the part of `balance` that is reserved for
 * unconfirmed transactions. `held` is held in escrow and is not part of `balance`.
 */
export interface Balance {
  balance: bigint;
  pending: bigint;
  held: bigint;
}

/** Stages of a transaction, in order (docs/gateway/routes.md#transaction-status). */
export type Stage = 'staging' | 'mempool' | 'confirmed';

/** A transaction's status; its bytes are in `Store.signed`. */
export interface TransactionRecord {
  sequence: bigint;
  stage: Stage;
  /** Height of the confirming block. */
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
  /** Hash of the accepted ApprovalEscrow. A second one is rejected, and the escrow no longer expires. */
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

/**
 * `reward`: a block's fees go to the treasury. `unlock`: an approved escrow is paid out. `refund`: an escrow
 * returns to its sender.
 */
export type MovementKind = 'reward' | 'unlock' | 'refund';

/** A change of a balance that no field of a transaction shows (docs/gateway/routes.md#balance-movements). */
export interface MovementRecord extends BlockMoment {
  kind: MovementKind;
  account: string;
  tokenId: bigint;
  amount: bigint;
  /** The escrowed transaction; absent for a reward. */
  transaction?: string;
}
