import { encodeTransaction, type Sent, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { throwIfAborted } from '../cancellation.js';
import { GatewayError } from '../errors.js';
import {
  GatewayBusyError,
  GatewayMalformedError,
  GatewayStatusError,
  GatewayUnreachableError,
} from '../gateway/errors.js';
import type { BroadcastReceipt, GatewayClient } from '../gateway/index.js';
import { checkSigned } from '../signed-transaction.js';
import { secondsAhead, WINDOW_SECONDS } from './clock.js';
import { copySigned } from './copies.js';
import {
  afterApproval,
  broadcastRefusedError,
  broadcastUncertainError,
  duplicateTransactionError,
  hashMismatchError,
  signatureRefusedError,
  transactionPostdatedError,
} from './errors.js';
import { readOptions } from './input.js';
import type { SignedTransaction, SubmittedTransaction } from './prepared.js';
import { retryRead } from './retry.js';
import { type GatewayStep, type StepOptions, startStep } from './step.js';

/** How to submit a signed transaction. */
export interface SubmitOptions extends StepOptions {
  gateway: GatewayClient;
}

/** Pauses between the attempts of a broadcast. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000];
const INVALID_SIGNATURE = /Invalid transaction signature$/;
/** The stages of a transaction that the node has accepted. */
const ACCEPTED_STAGES = ['staging', 'mempool', 'confirmed'];

/** Whether the chain may have the transaction by now. */
interface Submission {
  sent: Sent;
}

/**
 * Broadcasts until the node accepts or refuses the transaction. After a lost answer, in this call or an
 * earlier one (`sent` is not `no`), the status route is asked for the hash before anything is sent again; a
 * known hash then counts as accepted, also after a refusal. Rejects with ZbcSignerError with
 * `facts.transactionHash` and `facts.sent`: `DUPLICATE_TRANSACTION` for a hash that the chain knew before,
 * `TRANSACTION_POSTDATED`, `HASH_MISMATCH`, `BROADCAST_REFUSED`, `SIGNATURE_REFUSED`, `BROADCAST_UNCERTAIN`,
 * `SUBMISSION_INTERRUPTED` or a gateway's.
 */
export async function submitTransaction(
  given: SignedTransaction,
  givenOptions: SubmitOptions,
): Promise<SubmittedTransaction> {
  const options = readOptions(givenOptions, 'gateway');
  const step = { ...startStep(options), gateway: options.gateway };
  const signed = copySigned(given);
  const { genesisHash, publicKey, transaction } = signed;
  checkSigned(signed, { genesisHash, unsigned: encodeTransaction(transaction), publicKey });
  const submission: Submission = { sent: signed.sent };
  try {
    // A node would refuse it now, and take it later from whoever has it.
    const { timestamp } = transaction;
    if (secondsAhead(step.clock, timestamp) > WINDOW_SECONDS) throw transactionPostdatedError(timestamp);
    const { duplicate } = await submit(step, signed, submission);
    step.report({ step: 'broadcast', transactionHash: signed.transactionHash, duplicate });
    return { ...signed, sent: 'yes', duplicate };
  } catch (error) {
    throw afterApproval(error, signed.transactionHash, submission.sent);
  }
}

async function submit(
  step: GatewayStep,
  signed: SignedTransaction,
  submission: Submission,
): Promise<BroadcastReceipt> {
  const { transactionHash } = signed;
  const known = await retryRead(step, options => step.gateway.transactionStatus(transactionHash, options));
  if (known !== undefined) {
    if (signed.sent === 'no') throw duplicateTransactionError(toHex(transactionHash));
    if (ACCEPTED_STAGES.includes(known.stage)) return { transactionHash, duplicate: true };
  }
  const receipt = await broadcast(step, signed, submission);
  const [signedHash, returnedHash] = [transactionHash, receipt.transactionHash].map(toHex);
  if (returnedHash !== signedHash) throw hashMismatchError(`${signedHash}`, `${returnedHash}`);
  submission.sent = 'yes';
  return receipt;
}

async function broadcast(
  step: GatewayStep,
  signed: SignedTransaction,
  submission: Submission,
): Promise<BroadcastReceipt> {
  let answerLost = signed.sent !== 'no';
  for (let attempt = 0; ; attempt += 1) {
    throwIfAborted(step.request.signal);
    try {
      step.report({ step: 'submitting', signed: { ...signed, sent: 'maybe' } });
      submission.sent = 'maybe';
      return await broadcastOnce(step, signed, answerLost);
    } catch (error) {
      if (error instanceof ZbcSignerError && error.code === 'DUPLICATE_TRANSACTION') throw error;
      answerLost ||= losesAnswer(error);
      if (!answerLost && error instanceof GatewayError) submission.sent = 'no';
      const mayPass = losesAnswer(error) || error instanceof GatewayBusyError;
      const pauseMs = mayPass ? PAUSES_MS[attempt] : undefined;
      if (pauseMs !== undefined) {
        step.report({ step: 'retry', error, pauseMs });
        await step.clock.sleep(pauseMs, step.request.signal);
      }
      // Asked after a refusal too: it may be of the second copy, after the first was accepted, or untrue.
      const isLast = pauseMs === undefined;
      const receipt = answerLost || isLast ? await findReceipt(step, signed, answerLost) : undefined;
      if (receipt !== undefined) return receipt;
      if (pauseMs === undefined) throw explain(error, mayPass && answerLost, toHex(signed.transactionHash));
    }
  }
}

/** A duplicate is this call's own only after a lost answer. */
async function broadcastOnce(
  step: GatewayStep,
  { transaction, signature, transactionHash }: SignedTransaction,
  answerLost: boolean,
): Promise<BroadcastReceipt> {
  const receipt = await step.gateway.broadcast(transaction, signature, step.request);
  if (receipt.duplicate && !answerLost && toHex(receipt.transactionHash) === toHex(transactionHash)) {
    throw duplicateTransactionError(toHex(transactionHash));
  }
  return receipt;
}

/** Whether the node may have accepted a broadcast that failed like this. */
function losesAnswer(error: unknown): boolean {
  return (
    error instanceof GatewayUnreachableError ||
    error instanceof GatewayMalformedError ||
    (error instanceof GatewayStatusError && error.status >= 500)
  );
}

/** Undefined if the chain does not know the hash, or nothing says so after a refusal. */
async function findReceipt(
  step: GatewayStep,
  { transactionHash }: SignedTransaction,
  answerLost: boolean,
): Promise<BroadcastReceipt | undefined> {
  try {
    const status = await retryRead(step, options => step.gateway.transactionStatus(transactionHash, options));
    const isAccepted = status !== undefined && ACCEPTED_STAGES.includes(status.stage);
    return isAccepted ? { transactionHash, duplicate: true } : undefined;
  } catch (error) {
    throwIfAborted(step.request.signal);
    if (!answerLost) return undefined;
    throw broadcastUncertainError(toHex(transactionHash), error);
  }
}

function explain(error: unknown, isUncertain: boolean, transactionHash: string): unknown {
  if (isUncertain) return broadcastUncertainError(transactionHash, error);
  if (!(error instanceof GatewayStatusError)) return error;
  return INVALID_SIGNATURE.test(error.nodeError)
    ? signatureRefusedError(transactionHash, error)
    : broadcastRefusedError(transactionHash, error);
}
