/** The chain's names of its transaction types by id, including those that no signer signs. */
export const TRANSACTION_TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'Empty'],
  [1, 'SendZBC'],
  [2, 'NodeRegistration'],
  [3, 'SetupAccountDataset'],
  [4, 'ApprovalEscrow'],
  [5, 'MultiSignature'],
  [6, 'LiquidPayment'],
  [7, 'FeeVoteCommitment'],
  [10, 'IssueToken'],
  [11, 'TransferToken'],
  [12, 'MintToken'],
  [13, 'BurnToken'],
  [18, 'CreateSwapOffer'],
  [19, 'AcceptSwapOffer'],
  [20, 'CancelSwapOffer'],
  [21, 'CreateMarket'],
  [22, 'PlaceOrder'],
  [23, 'CancelOrder'],
  [29, 'ScheduledTransfer'],
  [258, 'NodeRegistrationUpdate'],
  [259, 'RemoveAccountDataset'],
  [260, 'EscrowRequest'],
  [514, 'RemoveNodeRegistration'],
  [516, 'DeclineEscrowRequest'],
  [770, 'ClaimNodeRegistration'],
]);

/** Returns the chain's name of a type, or `type N` for an unknown one. */
export function transactionTypeName(type: number): string {
  return TRANSACTION_TYPE_NAMES.get(type) ?? `type ${type}`;
}
