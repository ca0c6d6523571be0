// Ids of the transaction types the signer supports (docs/TRANSACTION.md#transaction-types), ascending.
export const SEND_ZBC = 1;
export const APPROVAL_ESCROW = 4;
export const TRANSFER_TOKEN = 11;
