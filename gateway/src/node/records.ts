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

export interface BlockRecord {
  height: bigint;
  hash: string;
  previousHash: string;
  timestamp: bigint;
  transactions: string[];
}
