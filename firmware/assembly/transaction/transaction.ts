import { Account } from './account';

/** Value of `feeInToken` if the body of a token transfer omits the flag. */
export const FEE_IN_TOKEN_ABSENT: u32 = 2;

/**
 * A parsed transaction. Its pointers point into the buffer that will be hashed, so the values that are shown
 * are those that are signed.
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

  // The three accounts follow the fields above in the same block of static memory.
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

/** Number of bytes of static memory for one transaction. */
export const TRANSACTION_SIZE: i32 = <i32>(offsetof<Transaction>() + 3 * offsetof<Account>());
