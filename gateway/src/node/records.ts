// What the store holds. Accounts are the hex of their wire form, hashes lower hex, amounts atomic units, times Unix seconds.

/** One account's coins or tokens: `pending` of `balance` is promised to unconfirmed transactions; `held` is in escrow, beside it. */
export interface Purse {
  balance: bigint;
  pending: bigint;
  held: bigint;
}

/** In the order in which a transaction goes through them (interface.md "States and transitions"). */
export type Stage = 'staging' | 'mempool' | 'confirmed';

export interface TransactionRecord {
  sequence: bigint;
  stage: Stage;
  /** Of the block that confirmed it. */
  height?: bigint;
  /** As `formatBroadcast` gives it. */
  fields: Record<string, unknown>;
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
  /** The ApprovalEscrow that was taken for it: a second one is refused, and it no longer expires. */
  decision?: string;
}

/** Which block something happens in. */
export interface BlockMoment {
  height: bigint;
  timestamp: bigint;
}

export interface BlockRecord extends BlockMoment {
  hash: string;
  previousHash: string;
  transactions: string[];
  /** Hashes of the escrows that it gave back because their time had passed. */
  expired: string[];
}

/** A block's fees to their collector; an approved escrow to whom it was for; an escrow back to its sender. */
export type MovementKind = 'reward' | 'unlock' | 'refund';

/** A change of a balance that no transaction's own fields say (interface.md "Chain routes"). */
export interface MovementRecord extends BlockMoment {
  kind: MovementKind;
  account: string;
  tokenId: bigint;
  amount: bigint;
  /** The escrowed transaction; a reward has none. */
  transaction?: string;
}
