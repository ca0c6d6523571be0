// Ids of the transaction types the signer supports (docs/TRANSACTION.md#transaction-types), ascending.
/** A transfer of coins. */
export const SEND_ZBC = 1;
/** A decision on an escrow. */
export const APPROVAL_ESCROW = 4;
/** A transfer of a token. */
export const TRANSFER_TOKEN = 11;
