import {
  type BroadcastState,
  cleanText,
  type ErrorFacts,
  formatCoinAmount,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';
import { type ErrorCode, GatewayError, reasonOf } from '../errors.js';
import type { GatewayStatusError } from '../gateway/errors.js';
import type { SignedTransaction } from './prepared.js';
import { safeAfter } from './sent.js';

/** An error before the signature. Its message ends with `nothing was signed`. */
function unsigned(code: ErrorCode, fault: string, facts: ErrorFacts = {}, cause?: unknown): ZbcSignerError {
  return failed(code, `${fault}: nothing was signed`, facts, cause);
}

function failed(code: ErrorCode, message: string, facts: ErrorFacts, cause?: unknown): ZbcSignerError {
  return new ZbcSignerError(code, message, { facts, cause });
}

/**
 * The node predates signatures that are bound to one chain, or uses unknown signing rules. Nothing was
 * signed.
 */
export function signingVersionError(signingVersion: bigint | undefined): ZbcSignerError {
  return unsigned(
    'SIGNING_VERSION',
    signingVersion === undefined
      ? 'the node reports no signing_version, so it predates chain-bound signatures'
      : `unsupported signing_version ${signingVersion}, expected 2`,
  );
}

/** `signing_tag` is not `ZBC-TX`. Nothing was signed. */
export function signingTagError(): ZbcSignerError {
  return unsigned('SIGNING_TAG', 'the node does not use the signing tag ZBC-TX');
}

/** The gateway's chain is not the expected one. Hashes are in lower-case hex. Nothing was signed. */
export function wrongChainError(genesisHash: string, expectedGenesisHash: string): ZbcSignerError {
  return unsigned('WRONG_CHAIN', `the gateway serves chain ${genesisHash}, expected ${expectedGenesisHash}`, {
    genesisHash,
    expectedGenesisHash,
  });
}

/**
 * A node, or another gateway, is on another chain than the one that the gateway reports. `node` is `ip:port`
 * or the other gateway's URL; hashes are in lower-case hex. Nothing was signed.
 */
export function nodeChainError(node: string, nodeGenesisHash: string, genesisHash: string): ZbcSignerError {
  return unsigned(
    'NODE_CHAIN_MISMATCH',
    `the gateway reports chain ${genesisHash}, but ${node} reports ${nodeGenesisHash}`,
    { node, nodeGenesisHash, genesisHash },
  );
}

/** The account cannot spend the amount `needed`. `unit` is `ZBC`, or `of token` with the token's id. */
export function insufficientBalanceError(needed: string, spendable: string, unit: string): ZbcSignerError {
  return failed(
    'INSUFFICIENT_BALANCE',
    `insufficient balance: ${needed} ${unit} needed, ${spendable} ${unit} spendable`,
    { needed, spendable, unit },
  );
}

/** The fee is 0 or below the node's minimum. Both fees are in atomic units. Nothing was signed. */
export function feeTooLowError(fee: bigint, minimumFee = 0n): ZbcSignerError {
  const limit =
    minimumFee === 0n
      ? 'and the chain asks for more than 0'
      : `the minimum is ${formatCoinAmount(minimumFee)}`;
  return unsigned('FEE_TOO_LOW', `the fee is ${formatCoinAmount(fee)}, ${limit}`, {
    fee: `${fee}`,
    minimumFee: `${minimumFee}`,
  });
}

/**
 * The fee, given or estimated by the gateway, is above `maxFee`. Fees are in atomic units. Nothing was
 * signed.
 */
export function feeTooHighError(fee: bigint, maxFee: bigint, minimumFee?: bigint): ZbcSignerError {
  return unsigned(
    'FEE_TOO_HIGH',
    `the fee is ${formatCoinAmount(fee)}, above the limit of ${formatCoinAmount(maxFee)} (maxFee)`,
    {
      fee: `${fee}`,
      maxFee: `${maxFee}`,
      ...(minimumFee !== undefined && { minimumFee: `${minimumFee}` }),
    },
  );
}

/** The amount is 0 and the caller did not allow it. Nothing was signed. */
export function zeroAmountError(): ZbcSignerError {
  return unsigned('ZERO_AMOUNT', 'the amount is 0, and allowsZeroAmount is not set');
}

/** The caller's contact book threw an error that is not a ZbcSignerError. Nothing was signed. */
export function contactsFailedError(cause: unknown): ZbcSignerError {
  return unsigned('CONTACTS_DAMAGED', `the contacts cannot be read: ${reasonOf(cause)}`, {}, cause);
}

/** The transaction pays its fee in the token, and the caller did not allow it. Nothing was signed. */
export function feeInTokenError(): ZbcSignerError {
  return unsigned('FEE_IN_TOKEN', 'feeInToken is true, and allowsFeeInToken is not set');
}

/** This computer's clock and the node's differ by more than an hour. Both times are in Unix seconds. */
export function clockError(hostTime: bigint, nodeTime: bigint): ZbcSignerError {
  return unsigned('CLOCK_MISMATCH', "this computer's clock and the node's differ by more than an hour", {
    hostTime: `${hostTime}`,
    nodeTime: `${nodeTime}`,
  });
}

/** No two gateways ask for the same fee. Fees are in atomic units. Nothing was signed. */
export function feeMismatchError(fee: bigint, otherFee: bigint, url: string): ZbcSignerError {
  return unsigned(
    'FEE_MISMATCH',
    `the gateway asks for a fee of ${formatCoinAmount(fee)}, and ${url} for ${formatCoinAmount(otherFee)}`,
    { fee: `${fee}`, otherFee: `${otherFee}`, url },
  );
}

interface TokenDifference {
  field: 'decimals' | 'symbol' | 'name';
  value: string | number;
  otherValue: string | number;
  /** Where the other value is, such as `in the draft`. */
  place: string;
}

/** Two sources disagree about a token. Nothing was signed. */
export function tokenMismatchError(
  tokenId: bigint,
  { field, value, otherValue, place }: TokenDifference,
): ZbcSignerError {
  return unsigned(
    'TOKEN_MISMATCH',
    `the ${field} of token ${tokenId} is ${value} at the gateway, but ${otherValue} ${place}`,
    { tokenId: `${tokenId}`, field, value, otherValue },
  );
}

/** The escrow was approved or rejected, or has expired; `state` says which. Nothing was signed. */
export function escrowDecidedError(hash: string, state: string): ZbcSignerError {
  return unsigned('ESCROW_DECIDED', `the escrow ${hash} is already ${state}`, {
    transactionHash: hash,
    state,
  });
}

/**
 * The gateway knew this transaction before this call sent anything: another call has sent the same
 * transaction.
 */
export function duplicateTransactionError(transactionHash: string): ZbcSignerError {
  return failed(
    'DUPLICATE_TRANSACTION',
    `the gateway already knows transaction ${transactionHash}: this call made no new payment`,
    { transactionHash },
  );
}

/** An earlier payment to the same recipient may have been made. `end` is the end of the message. */
export function unsettledPaymentError(
  { transaction, transactionHash }: Pick<SignedTransaction, 'transaction' | 'transactionHash'>,
  end: string,
): ZbcSignerError {
  const earlierHash = toHex(transactionHash);
  return failed(
    'UNSETTLED_PAYMENT',
    `the earlier payment ${earlierHash} to this recipient may have been made, and paysAgain is not set: ${end}`,
    { earlierHash, safeAfter: `${safeAfter(transaction)}` },
  );
}

/**
 * A payment in the journal is not sent, because another payment to its recipient may have been made, or
 * because another call has removed it from the journal. Sending it requires `paysAgain`.
 */
export function heldPaymentError(earlierHash: string): ZbcSignerError {
  return failed(
    'UNSETTLED_PAYMENT',
    `transaction ${earlierHash} was not sent, because paysAgain is not set: another payment to its recipient may have been made, or the journal has lost the transaction`,
    { earlierHash },
  );
}

const IN_WORDS: Readonly<Record<BroadcastState, string>> = {
  no: 'was not sent',
  maybe: 'may have been sent',
  yes: 'was sent',
};

/** An abort or an unexpected failure after the approval. The cause is the abort's reason or the failure. */
function submissionInterruptedError(
  transactionHash: string,
  sent: BroadcastState,
  cause: unknown,
): ZbcSignerError {
  const isAbort = cause instanceof ZbcSignerError && cause.code === 'ABORTED';
  const fault = !isAbort && cause instanceof Error ? ` by "${cleanText(cause.message)}"` : '';
  return new ZbcSignerError(
    'SUBMISSION_INTERRUPTED',
    `interrupted after the approval${fault}: transaction ${transactionHash} ${IN_WORDS[sent]}`,
    { facts: { transactionHash, sent }, cause: isAbort ? cause.cause : cause },
  );
}

/** The chain has no token with that id. */
export function unknownTokenError(tokenId: bigint): ZbcSignerError {
  return failed('UNKNOWN_TOKEN', `the chain has no token ${tokenId}`, { tokenId: `${tokenId}` });
}

/** The gateway knows no transaction with the escrow's hash. */
export function escrowNotFoundError(hash: string): ZbcSignerError {
  return failed('ESCROW_NOT_FOUND', `the chain has no transaction ${hash}`, { transactionHash: hash });
}

/** The gateway's transaction has another hash, or is not an escrowed transfer. Nothing was signed. */
export function escrowMismatchError(hash: string, fault: string, cause?: unknown): ZbcSignerError {
  return unsigned(
    'ESCROW_MISMATCH',
    `the gateway's transaction for ${hash} ${fault}`,
    { transactionHash: hash },
    cause,
  );
}

/** Another account is the approver of the escrow. Both accounts are addresses. */
export function notApproverError(approver: string, own: string): ZbcSignerError {
  return failed('NOT_THE_APPROVER', `the approver of this escrow is ${approver}, not your account ${own}`, {
    approver,
    own,
  });
}

/** The gateway reports another hash than the signer. Both hashes are in lower-case hex. */
export function hashMismatchError(signedHash: string, returnedHash: string): ZbcSignerError {
  return failed(
    'HASH_MISMATCH',
    `the gateway reports transaction hash ${returnedHash}, the signer ${signedHash}: possible tampering`,
    { transactionHash: signedHash, returnedHash, sent: 'maybe' },
  );
}

/** The node rejected the broadcast; `facts.nodeError` is its reason. */
export function broadcastRefusedError(transactionHash: string, cause: GatewayStatusError): GatewayError {
  const reason = cause.nodeError || `HTTP ${cause.status}`;
  return rejected(
    'BROADCAST_REFUSED',
    `the node rejected the transaction: ${reason}`,
    transactionHash,
    cause,
  );
}

/** The node found the signature invalid. It also does so if it received other bytes than the signed ones. */
export function signatureRefusedError(transactionHash: string, cause: GatewayStatusError): GatewayError {
  const message = `the node rejected the signature (${cause.nodeError}), which verifies here`;
  return rejected('SIGNATURE_REFUSED', message, transactionHash, cause);
}

function rejected(
  code: ErrorCode,
  message: string,
  transactionHash: string,
  cause: GatewayStatusError,
): GatewayError {
  const { status, nodeError } = cause;
  return new GatewayError(code, message, { facts: { transactionHash, status, nodeError }, cause });
}

/** An entry of a journal is not a signed payment. `earlierHash` is the hash in hex under which it is kept. */
export function journalDamagedError(
  place: string,
  earlierHash: string,
  fault: string,
  cause?: unknown,
): ZbcSignerError {
  const facts = { earlierHash, sent: 'maybe' } as const;
  return failed('JOURNAL_FAILED', `${place} is damaged: ${cleanText(fault)}`, facts, cause);
}

/** Like `journalDamagedError`, for an entry that the system failed to read. The entry itself may be valid. */
export function journalUnreadableError(place: string, earlierHash: string, cause: unknown): ZbcSignerError {
  const facts = { earlierHash, sent: 'maybe' } as const;
  const code = cleanText(`${Reflect.get(Object(cause), 'code')}`);
  return failed('JOURNAL_FAILED', `${place} cannot be read: ${code}`, facts, cause);
}

/** The journal could not be read or written. */
export function journalError(cause: unknown, directory?: string): ZbcSignerError {
  if (cause instanceof ZbcSignerError && cause.code === 'JOURNAL_FAILED') return cause;
  const place = directory === undefined ? '' : `${directory}: `;
  return failed('JOURNAL_FAILED', `the journal of payments failed (${place}${reasonOf(cause)})`, {}, cause);
}

const NOTHING_SENT = ': this call sent nothing';

/** Like `journalError`, for a payment of which no byte was sent. The message ends with NOTHING_SENT once. */
export function journalErrorBeforeSending(cause: unknown): ZbcSignerError {
  const error = journalError(cause);
  if (error.message.endsWith(NOTHING_SENT)) return error;
  return failed('JOURNAL_FAILED', `${error.message}${NOTHING_SENT}`, error.facts, cause);
}

/** Every broadcast ended without a certain answer; the message lists the answers. */
export function broadcastUncertainError(
  transactionHash: string,
  answers: string,
  cause: unknown,
): GatewayError {
  return new GatewayError(
    'BROADCAST_UNCERTAIN',
    `the transaction may have been accepted: no certain answer from the gateway (${answers})`,
    { facts: { transactionHash, answers }, cause },
  );
}

/** The transaction was broadcast, but not confirmed in time. `stage` is the last reported stage. */
export function notConfirmedError(transactionHash: string, stage: string, fault: string): ZbcSignerError {
  return failed('NOT_CONFIRMED', `not confirmed: ${fault}`, { transactionHash, stage });
}

/** No node accepts the transaction any more. `timestamp` is in Unix seconds. Nothing was sent. */
export function transactionExpiredError(timestamp: bigint): ZbcSignerError {
  return failed(
    'TRANSACTION_EXPIRED',
    'the transaction was prepared more than an hour ago: no node accepts it any more',
    { timestamp: `${timestamp}` },
  );
}

export function transactionPostdatedError(timestamp: bigint): ZbcSignerError {
  return failed(
    'TRANSACTION_POSTDATED',
    'the transaction is dated more than an hour ahead: no node accepts it yet',
    { timestamp: `${timestamp}` },
  );
}

/** The transaction of an error after the approval. A caller may have passed one that has only a hash. */
export type Approved = Pick<SignedTransaction, 'transactionHash'> &
  Partial<Pick<SignedTransaction, 'transaction' | 'genesisHash'>>;

/** Adds `facts.sent` to an error without it: an earlier call may have sent the transaction. */
export function afterSending(error: unknown, sent: BroadcastState = 'maybe'): unknown {
  if (error instanceof ZbcSignerError) error.facts = { sent, ...error.facts };
  return error;
}

/** Reads a transaction that may have been sent earlier. Any error gets `facts.sent`. */
export function readSent<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw afterSending(error);
  }
}

/**
 * Adds `facts.transactionHash`, `facts.sent` and, unless nothing was sent, `facts.safeAfter` to an error. An
 * abort, or an error that is not a ZbcSignerError, becomes `SUBMISSION_INTERRUPTED`.
 */
export function afterApproval(
  error: unknown,
  { transactionHash: hash, transaction }: Approved,
  sent: BroadcastState,
): ZbcSignerError {
  const transactionHash = toHex(hash);
  const isOwn = error instanceof ZbcSignerError && error.code !== 'ABORTED';
  const explained = isOwn ? error : submissionInterruptedError(transactionHash, sent, error);
  explained.facts = {
    ...explained.facts,
    transactionHash,
    sent,
    ...(sent !== 'no' && transaction && { safeAfter: `${safeAfter(transaction)}` }),
  };
  return explained;
}
