import { formatCoins } from '../../../chain/src/index.js';
import { GatewayError, SignerError } from '../errors.js';
import type { GatewayStatusError } from '../gateway/errors.js';

/** The node is older than chain-bound signing, or signs by rules that this project does not know. */
export class SigningVersionError extends SignerError {
  constructor(signingVersion: bigint | undefined) {
    super(
      'SIGNING_VERSION',
      signingVersion === undefined
        ? 'the node does not report a signing_version, so it is older than signatures bound to one chain: nothing was signed'
        : `the node signs by signing_version ${signingVersion}, and only version 2 is known here: nothing was signed`,
      {
        hint: 'Use a gateway whose nodes are release v0.4.0 or later, by its host name: when an older gateway leaves the field out, its nodes are asked by theirs.',
      },
    );
  }
}

/** `signing_tag` is there and is not `ZBC-TX`. */
export class SigningTagError extends SignerError {
  constructor() {
    super('SIGNING_TAG', 'the node signs with another tag than ZBC-TX: nothing was signed', {
      hint: 'This gateway serves a chain of another kind.',
    });
  }
}

/** The gateway's chain is not the one that the caller named; hashes in lower hex. */
export class WrongChainError extends SignerError {
  constructor(genesisHash: string, expectedGenesisHash: string) {
    super(
      'WRONG_CHAIN',
      `the gateway serves the chain ${genesisHash}, not ${expectedGenesisHash}: nothing was signed`,
      {
        facts: { genesisHash, expectedGenesisHash },
        hint: "Use that chain's own gateway; a development network's genesis hash changes at every relaunch.",
      },
    );
  }
}

/** A node that was asked by its host name is on another chain than the gateway says; hashes in lower hex, `node` is `ip:port`. */
export class NodeChainError extends SignerError {
  constructor(node: string, nodeGenesisHash: string, genesisHash: string) {
    super(
      'NODE_CHAIN_MISMATCH',
      `the gateway says that its chain is ${genesisHash}, its node ${node} says ${nodeGenesisHash}: nothing was signed`,
      {
        facts: { node, nodeGenesisHash, genesisHash },
        hint: 'Do not trust this gateway until its operator has explained this.',
      },
    );
  }
}

/** More is needed than the account can spend; `unit` is ZBC or names a token. */
export class InsufficientBalanceError extends SignerError {
  constructor(needed: string, spendable: string, unit: string) {
    super('INSUFFICIENT_BALANCE', `${needed} ${unit} needed, ${spendable} ${unit} spendable`, {
      facts: { needed, spendable, unit },
      hint: 'Amount, fee and escrow commission are needed; what is unconfirmed or in escrow is not spendable.',
    });
  }
}

/** The fee that the caller gave is below the node's minimum; both in atomic units. */
export class FeeTooLowError extends SignerError {
  constructor(fee: bigint, minimumFee: bigint) {
    super(
      'FEE_TOO_LOW',
      `the fee is ${formatCoins(fee)} ZBC, at least ${formatCoins(minimumFee)} ZBC needed`,
      {
        facts: { fee: `${fee}`, minimumFee: `${minimumFee}` },
        hint: 'Give no fee to pay the minimum.',
      },
    );
  }
}

/** The chain has no token of that id, so nobody knows its decimals. */
export class UnknownTokenError extends SignerError {
  constructor(tokenId: bigint) {
    super('UNKNOWN_TOKEN', `the chain has no token ${tokenId}`, {
      facts: { tokenId: `${tokenId}` },
      hint: '`zbc-signer balance` lists the tokens of an account with their ids.',
    });
  }
}

/** The gateway knows no transaction with the hash of the escrow. */
export class EscrowNotFoundError extends SignerError {
  constructor(hash: string) {
    super('ESCROW_NOT_FOUND', `the chain has no transaction ${hash}`, { facts: { transactionHash: hash } });
  }
}

/** The gateway's escrowed transaction is not the one of that hash, or no escrowed transfer at all. */
export class EscrowMismatchError extends SignerError {
  constructor(hash: string, fault: string, cause?: unknown) {
    super('ESCROW_MISMATCH', `the gateway's transaction for ${hash} ${fault}: nothing was signed`, {
      facts: { transactionHash: hash },
      hint: 'The signer would refuse it too. Try another gateway.',
      cause,
    });
  }
}

/** Another account decides on the escrow; both as addresses. */
export class NotApproverError extends SignerError {
  constructor(approver: string, own: string) {
    super('NOT_THE_APPROVER', `the approver of this escrow is ${approver}, not your account ${own}`, {
      facts: { approver, own },
      hint: 'Choose the account, or the device, that is.',
    });
  }
}

/** The gateway took something else than what was signed, or says so; hashes in lower hex. */
export class HashMismatchError extends SignerError {
  constructor(signedHash: string, returnedHash: string) {
    super(
      'HASH_MISMATCH',
      `the bytes were altered after signing: the signer's transaction hash is ${signedHash}, the gateway reports ${returnedHash}`,
      {
        facts: { transactionHash: signedHash, returnedHash },
        hint: 'Do not trust this gateway and do not send again: ask another gateway, or a node, for the status of both hashes.',
      },
    );
  }
}

/** The node refused the broadcast; `facts.nodeError` is its reason. */
export class BroadcastRefusedError extends GatewayError {
  constructor(transactionHash: string, cause: GatewayStatusError) {
    super(
      'BROADCAST_REFUSED',
      `the node refused the transaction: ${cause.nodeError || `HTTP ${cause.status}`}`,
      {
        facts: { transactionHash, status: cause.status, nodeError: cause.nodeError },
        cause,
      },
    );
  }
}

/** The node says the signature is wrong, which stands for every wrong byte (interface.md "Errors"). */
export class SignatureRefusedError extends GatewayError {
  constructor(transactionHash: string, cause: GatewayStatusError) {
    super(
      'SIGNATURE_REFUSED',
      `the node says that the signature is invalid (${cause.nodeError}), though it verifies here`,
      {
        facts: { transactionHash, status: cause.status, nodeError: cause.nodeError },
        hint: 'Most likely the node that was sent to is on another chain than the one that answered node/info, or a field changed on the way.',
        cause,
      },
    );
  }
}

/** No answer came, however often asked: the transaction may or may not be on its way. */
export class BroadcastUncertainError extends GatewayError {
  constructor(transactionHash: string, cause: unknown) {
    super('BROADCAST_UNCERTAIN', 'the gateway went away before it said whether it took the transaction', {
      facts: { transactionHash },
      hint: `Before sending again, ask \`zbc-signer status ${transactionHash}\`.`,
      cause,
    });
  }
}

/** Broadcast, but not confirmed in the time given; `stage` is the last one seen. */
export class NotConfirmedError extends SignerError {
  constructor(transactionHash: string, stage: string, timeoutMs: number) {
    super('NOT_CONFIRMED', `not confirmed within ${timeoutMs / 1000} s; the last stage was ${stage}`, {
      facts: { transactionHash, stage },
      hint: `It may still be: ask \`zbc-signer status ${transactionHash}\`.`,
    });
  }
}
