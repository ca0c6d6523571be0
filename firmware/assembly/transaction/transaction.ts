import { Account } from './account';

/** The `feeInToken` of a token transfer whose body omits the flag. */
export const FEE_IN_TOKEN_ABSENT: u32 = 2;

/**
 * The transaction as parsed. Pointers lead into the buffer that will be hashed, so the shown values are those
 * that are signed.
 */
@unmanaged
export class Transaction {
  timestamp: u64;
  fee: u64;
  /** SendZBC: atomic units of the coin. TransferToken: atomic units of the token. */
  amount: u64;
  tokenId: i64;
  commission: u64;
  timeout: u64;
  type: u32;
  feeInToken: u32;
  approval: u32;
  /** The 32-byte hash in an ApprovalEscrow body. */
  escrowHash: usize;
  hasEscrow: bool;
  multiParty: bool;
  instruction: usize;
  instructionLength: i32;
  message: usize;
  messageLength: i32;

  // The three accounts follow the fields in the same block of static memory.
  get sender(): Account {
    return accountBehind(this, 0);
  }
  get recipient(): Account {
    return accountBehind(this, 1);
  }
  get approver(): Account {
    return accountBehind(this, 2);
  }
}

function accountBehind(transaction: Transaction, index: usize): Account {
  return changetype<Account>(
    changetype<usize>(transaction) + offsetof<Transaction>() + index * offsetof<Account>(),
  );
}

/** Bytes of static memory for one transaction. */
export const TRANSACTION_SIZE: i32 = <i32>(offsetof<Transaction>() + 3 * offsetof<Account>());
