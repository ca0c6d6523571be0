import { formatCoins } from '@zbc-signer/chain';
import { GatewayError, SignerError } from '../errors.js';
import type { GatewayStatusError } from '../gateway/errors.js';

/** The node predates chain-bound signatures, or uses unknown signing rules. Nothing was signed. */
export class SigningVersionError extends SignerError {
  override readonly name = 'SigningVersionError';
  constructor(signingVersion: bigint | undefined) {
    super(
      'SIGNING_VERSION',
      signingVersion === undefined
        ? 'the node reports no signing_version, so it predates chain-bound signatures: nothing was signed'
        : `unsupported signing_version ${signingVersion}, expected 2: nothing was signed`,
      {
        hint: 'Use a gateway whose nodes run v0.4.0 or later, by its host name rather than its IP address.',
      },
    );
  }
}

/** `signing_tag` is not `ZBC-TX`. Nothing was signed. */
export class SigningTagError extends SignerError {
  override readonly name = 'SigningTagError';
  constructor() {
    super('SIGNING_TAG', 'the node does not use the signing tag ZBC-TX: nothing was signed', {
      hint: 'This gateway serves another kind of chain.',
    });
  }
}

/** The gateway's chain is not the expected one; hashes in lower-case hex. Nothing was signed. */
export class WrongChainError extends SignerError {
  override readonly name = 'WrongChainError';
  constructor(genesisHash: string, expectedGenesisHash: string) {
    super(
      'WRONG_CHAIN',
      `the gateway serves chain ${genesisHash}, expected ${expectedGenesisHash}: nothing was signed`,
      {
        facts: { genesisHash, expectedGenesisHash },
        hint: "Use a gateway of that chain. A development network's genesis hash changes at every launch.",
      },
    );
  }
}

/**
 * A node is on another chain than the gateway reports; hashes in lower-case hex, `node` is `ip:port`. Nothing
 * was signed.
 */
export class NodeChainError extends SignerError {
  override readonly name = 'NodeChainError';
  constructor(node: string, nodeGenesisHash: string, genesisHash: string) {
    super(
      'NODE_CHAIN_MISMATCH',
      `the gateway reports chain ${genesisHash}, its node ${node} ${nodeGenesisHash}: nothing was signed`,
      {
        facts: { node, nodeGenesisHash, genesisHash },
        hint: 'Do not trust this gateway until its operator explains the difference.',
      },
    );
  }
}

/** The account cannot spend that much; `unit` is ZBC or names a token. */
export class InsufficientBalanceError extends SignerError {
  override readonly name = 'InsufficientBalanceError';
  constructor(needed: string, spendable: string, unit: string) {
    super(
      'INSUFFICIENT_BALANCE',
      `insufficient balance: ${needed} ${unit} needed, ${spendable} ${unit} spendable`,
      {
        facts: { needed, spendable, unit },
        hint: 'Amount, fee and escrow commission are needed. Unconfirmed or escrowed amounts cannot be spent.',
      },
    );
  }
}

/** The given fee is below the node's minimum; both in atomic units. */
export class FeeTooLowError extends SignerError {
  override readonly name = 'FeeTooLowError';
  constructor(fee: bigint, minimumFee: bigint) {
    super(
      'FEE_TOO_LOW',
      `the fee is ${formatCoins(fee)} ZBC, the minimum is ${formatCoins(minimumFee)} ZBC`,
      {
        facts: { fee: `${fee}`, minimumFee: `${minimumFee}` },
        hint: 'Omit the fee to pay the minimum.',
      },
    );
  }
}

/** The fee, given or estimated by the gateway, is above `maxFee`; all in atomic units. Nothing was signed. */
export class FeeTooHighError extends SignerError {
  override readonly name = 'FeeTooHighError';
  constructor(fee: bigint, maxFee: bigint, minimumFee: bigint) {
    super(
      'FEE_TOO_HIGH',
      `the fee is ${formatCoins(fee)} ZBC, above the limit of ${formatCoins(maxFee)} ZBC: nothing was signed`,
      {
        facts: { fee: `${fee}`, maxFee: `${maxFee}`, minimumFee: `${minimumFee}` },
        hint: 'Compare with another gateway before raising the limit.',
      },
    );
  }
}

/** The amount is 0 and the caller did not allow it. Nothing was signed. */
export class ZeroAmountError extends SignerError {
  override readonly name = 'ZeroAmountError';
  constructor() {
    super('ZERO_AMOUNT', 'the amount is 0: nothing was signed', {
      hint: 'Allow it explicitly; it still costs the fee.',
    });
  }
}

/** This computer's clock and the node's differ by more than the chain accepts; both in Unix seconds. */
export class ClockError extends SignerError {
  override readonly name = 'ClockError';
  constructor(hostTime: bigint, nodeTime: bigint) {
    super('CLOCK_MISMATCH', "the node's clock differs by more than an hour: nothing was signed", {
      facts: { hostTime: `${hostTime}`, nodeTime: `${nodeTime}` },
      hint: 'Check the clock, or use another gateway.',
    });
  }
}

/** Two routes of the gateway report different decimals for the token. Nothing was signed. */
export class TokenMismatchError extends SignerError {
  override readonly name = 'TokenMismatchError';
  constructor(tokenId: bigint, decimals: number, otherDecimals: number) {
    super(
      'TOKEN_MISMATCH',
      `the gateway reports both ${decimals} and ${otherDecimals} decimals for token ${tokenId}: nothing was signed`,
      { facts: { tokenId: `${tokenId}`, decimals, otherDecimals }, hint: 'Do not trust this gateway.' },
    );
  }
}

/** The escrow was approved or rejected, or has expired; `state` says which. Nothing was signed. */
export class EscrowDecidedError extends SignerError {
  override readonly name = 'EscrowDecidedError';
  constructor(hash: string, state: string) {
    super('ESCROW_DECIDED', `the escrow ${hash} is already ${state}: nothing was signed`, {
      facts: { transactionHash: hash, state },
    });
  }
}

/**
 * The chain has this transaction, and not from this call: an equal payment in the same second. `facts.sent`
 * is `no` if it was known before this call's broadcast, `maybe` if the gateway called the first broadcast a
 * duplicate.
 */
export class DuplicateTransactionError extends SignerError {
  override readonly name = 'DuplicateTransactionError';
  constructor(transactionHash: string) {
    super(
      'DUPLICATE_TRANSACTION',
      `the chain already has transaction ${transactionHash}: no new payment was made`,
      {
        facts: { transactionHash },
        hint: 'To pay again, send again: the timestamp will differ.',
      },
    );
  }
}

/** Whether the chain may have a signed transaction. */
export type Sent = 'no' | 'maybe' | 'yes';

/** The sequence stopped after the approval, by an abort or an unexpected failure (`cause`). */
export class SubmissionInterruptedError extends SignerError {
  override readonly name = 'SubmissionInterruptedError';
  constructor(transactionHash: string, sent: Sent, cause: unknown) {
    super(
      'SUBMISSION_INTERRUPTED',
      `interrupted after the approval of transaction ${transactionHash}; sent: ${sent}`,
      {
        facts: { transactionHash, sent },
        hint: `Check with \`zbc-signer status ${transactionHash}\` before sending again.`,
        cause,
      },
    );
  }
}

/** The chain has no token with that id. */
export class UnknownTokenError extends SignerError {
  override readonly name = 'UnknownTokenError';
  constructor(tokenId: bigint) {
    super('UNKNOWN_TOKEN', `the chain has no token ${tokenId}`, {
      facts: { tokenId: `${tokenId}` },
      hint: '`zbc-signer balance` lists the token ids of an account.',
    });
  }
}

/** The gateway knows no transaction with the escrow's hash. */
export class EscrowNotFoundError extends SignerError {
  override readonly name = 'EscrowNotFoundError';
  constructor(hash: string) {
    super('ESCROW_NOT_FOUND', `the chain has no transaction ${hash}`, { facts: { transactionHash: hash } });
  }
}

/** The gateway's transaction has another hash, or is not an escrowed transfer. Nothing was signed. */
export class EscrowMismatchError extends SignerError {
  override readonly name = 'EscrowMismatchError';
  constructor(hash: string, fault: string, cause?: unknown) {
    super('ESCROW_MISMATCH', `the gateway's transaction for ${hash} ${fault}: nothing was signed`, {
      facts: { transactionHash: hash },
      hint: 'Try another gateway.',
      cause,
    });
  }
}

/** Another account is the approver of the escrow; both as addresses. */
export class NotApproverError extends SignerError {
  override readonly name = 'NotApproverError';
  constructor(approver: string, own: string) {
    super('NOT_THE_APPROVER', `the approver of this escrow is ${approver}, not your account ${own}`, {
      facts: { approver, own },
      hint: "Use the approver's account or device.",
    });
  }
}

/** The gateway reports another hash than the signed one; hashes in lower-case hex. */
export class HashMismatchError extends SignerError {
  override readonly name = 'HashMismatchError';
  constructor(signedHash: string, returnedHash: string) {
    super(
      'HASH_MISMATCH',
      `the gateway reports transaction hash ${returnedHash}, the signer ${signedHash}: possible tampering`,
      {
        facts: { transactionHash: signedHash, returnedHash },
        hint: 'Do not trust this gateway or send again: check both hashes with another gateway.',
      },
    );
  }
}

/** The node rejected the broadcast; `facts.nodeError` is its reason. */
export class BroadcastRefusedError extends GatewayError {
  override readonly name = 'BroadcastRefusedError';
  constructor(transactionHash: string, cause: GatewayStatusError) {
    super(
      'BROADCAST_REFUSED',
      `the node rejected the transaction: ${cause.nodeError || `HTTP ${cause.status}`}`,
      {
        facts: { transactionHash, status: cause.status, nodeError: cause.nodeError },
        cause,
      },
    );
  }
}

/** The node found the signature invalid, its answer to any differing byte. */
export class SignatureRefusedError extends GatewayError {
  override readonly name = 'SignatureRefusedError';
  constructor(transactionHash: string, cause: GatewayStatusError) {
    super('SIGNATURE_REFUSED', `the node rejected the signature (${cause.nodeError}), which verifies here`, {
      facts: { transactionHash, status: cause.status, nodeError: cause.nodeError },
      hint: 'The node may be on another chain than the one that answered node/info, or a field was altered.',
      cause,
    });
  }
}

/** No answer after every retry: the transaction may have been accepted. */
export class BroadcastUncertainError extends GatewayError {
  override readonly name = 'BroadcastUncertainError';
  constructor(transactionHash: string, cause: unknown) {
    super('BROADCAST_UNCERTAIN', 'no answer from the gateway: the transaction may have been accepted', {
      facts: { transactionHash },
      hint: `Before sending again, check with \`zbc-signer status ${transactionHash}\`.`,
      cause,
    });
  }
}

/** Broadcast, but not confirmed in time; `stage` is the last one reported. */
export class NotConfirmedError extends SignerError {
  override readonly name = 'NotConfirmedError';
  constructor(transactionHash: string, stage: string, timeoutMs: number) {
    super('NOT_CONFIRMED', `not confirmed within ${timeoutMs / 1000} s; the last stage was ${stage}`, {
      facts: { transactionHash, stage },
      hint: `It may still confirm; check with \`zbc-signer status ${transactionHash}\`.`,
    });
  }
}
