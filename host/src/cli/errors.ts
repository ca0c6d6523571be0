/** What was typed cannot be done as it stands; the message names the option and its fault. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The hash that was asked for is on no chain of this gateway. */
export class UnknownTransactionError extends Error {
  override readonly name = 'UnknownTransactionError';
  readonly code = 'UNKNOWN_TRANSACTION';
  readonly hint = 'Check the hash, and that --api names the gateway of its chain.';
  constructor(hash: string) {
    super(`the chain knows no transaction ${hash}`);
  }
}
