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

export class UnknownBlockError extends Error {
  override readonly name = 'UnknownBlockError';
  readonly code = 'UNKNOWN_BLOCK';
  readonly hint = '`zbc-signer block` shows the newest one.';
  constructor(height: bigint | undefined) {
    super(height === undefined ? 'the chain has no block' : `the chain has no block ${height}`);
  }
}

export class UnknownMarketError extends Error {
  override readonly name = 'UnknownMarketError';
  readonly code = 'UNKNOWN_MARKET';
  readonly hint = '`zbc-signer markets` lists those that are open.';
  constructor(marketId: bigint) {
    super(`the chain has no market ${marketId}`);
  }
}

export class NoRelayError extends Error {
  override readonly name = 'NoRelayError';
  readonly code = 'NO_RELAY';
  constructor() {
    super('this gateway has no relay');
  }
}

/** Both genesis hashes in lower hex. */
export class RelayChainError extends Error {
  override readonly name = 'RelayChainError';
  readonly code = 'RELAY_CHAIN_MISMATCH';
  readonly hint = 'Do not pay this relay: it could not credit the payment.';
  readonly facts: Readonly<Record<string, string>>;
  constructor(relayGenesisHash: string, genesisHash: string) {
    super(`the relay settles on the chain ${relayGenesisHash}, the node is on ${genesisHash}`);
    this.facts = { relayGenesisHash, genesisHash };
  }
}

/** No release of the chain has a file of this hash, lower hex. */
export class NotPublishedError extends Error {
  override readonly name = 'NotPublishedError';
  readonly code = 'NOT_PUBLISHED';
  readonly hint = 'Do not run it, unless you built it yourself.';
  readonly facts: Readonly<Record<string, string>>;
  constructor(file: string, sha256: string) {
    super(`the chain has not published ${file}: its SHA-256 is ${sha256}`);
    this.facts = { file, sha256 };
  }
}
