import { ZbcSignerError } from '@zbc-signer/chain';
import { throwIfAborted } from '../cancellation.js';
import { GatewayError } from '../errors.js';
import {
  GatewayBusyError,
  GatewayMalformedError,
  GatewayStatusError,
  GatewayUnreachableError,
} from '../gateway/errors.js';
import type { BroadcastReceipt } from '../gateway/index.js';
import {
  broadcastRefusedError,
  broadcastUncertainError,
  duplicateTransactionError,
  hashMismatchError,
  type Sent,
  signatureRefusedError,
} from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';
import type { SignedTransfer } from './sign.js';

/** Pauses between the attempts of a broadcast. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000];
const INVALID_SIGNATURE = /Invalid transaction signature$/;

/** Whether the chain may have the transaction by now. */
export interface Submission {
  sent: Sent;
}

/** The stages of a transaction that the node has accepted. */
const ACCEPTED_STAGES = ['staging', 'mempool', 'confirmed'];

/**
 * Broadcasts until the node accepts or refuses the transaction. After a lost answer the status route is asked
 * for the hash before anything is sent again; a known hash then counts as accepted. Throws
 * `DUPLICATE_TRANSACTION` for a hash that the chain knew before, and `HASH_MISMATCH`. Keeps `submission`
 * up to date.
 */
export async function submitTransaction(
  run: Run,
  signed: SignedTransfer,
  submission: Submission,
): Promise<BroadcastReceipt> {
  const known = await retryRead(run, options =>
    run.gateway.transactionStatus(signed.transactionHash, options),
  );
  if (known !== undefined) throw duplicateTransactionError(signed.transactionHash);
  const receipt = await broadcast(run, signed, submission);
  if (receipt.transactionHash !== signed.transactionHash) {
    throw hashMismatchError(signed.transactionHash, receipt.transactionHash);
  }
  submission.sent = 'yes';
  return receipt;
}

async function broadcast(
  run: Run,
  signed: SignedTransfer,
  submission: Submission,
): Promise<BroadcastReceipt> {
  let answerLost = false;
  for (let attempt = 0; ; attempt += 1) {
    throwIfAborted(run.request.signal);
    try {
      submission.sent = 'maybe';
      return await broadcastOnce(run, signed, answerLost);
    } catch (error) {
      if (error instanceof ZbcSignerError && error.code === 'DUPLICATE_TRANSACTION') throw error;
      answerLost ||= losesAnswer(error);
      if (!answerLost && error instanceof GatewayError) submission.sent = 'no';
      const mayPass = losesAnswer(error) || error instanceof GatewayBusyError;
      const pauseMs = mayPass ? PAUSES_MS[attempt] : undefined;
      if (pauseMs !== undefined) {
        run.report({ step: 'retry', error, pauseMs });
        await run.clock.sleep(pauseMs, run.request.signal);
      }
      // Asked after a refusal too: it may be of the second copy, after the first was accepted.
      const receipt = answerLost ? await findReceipt(run, signed) : undefined;
      if (receipt !== undefined) return receipt;
      if (pauseMs === undefined) throw explain(error, mayPass && answerLost, signed.transactionHash);
    }
  }
}

/** A duplicate is this call's own only after a lost answer. */
async function broadcastOnce(
  run: Run,
  { transaction, signature, transactionHash }: SignedTransfer,
  answerLost: boolean,
): Promise<BroadcastReceipt> {
  const receipt = await run.gateway.broadcast(transaction, signature, run.request);
  if (receipt.duplicate && !answerLost && receipt.transactionHash === transactionHash) {
    throw duplicateTransactionError(transactionHash);
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

/** Undefined if the chain does not know the hash. */
async function findReceipt(
  run: Run,
  { transactionHash }: SignedTransfer,
): Promise<BroadcastReceipt | undefined> {
  try {
    const status = await retryRead(run, options => run.gateway.transactionStatus(transactionHash, options));
    const isAccepted = status !== undefined && ACCEPTED_STAGES.includes(status.stage);
    return isAccepted ? { transactionHash, duplicate: true } : undefined;
  } catch (error) {
    throwIfAborted(run.request.signal);
    throw broadcastUncertainError(transactionHash, error);
  }
}

function explain(error: unknown, isUncertain: boolean, transactionHash: string): unknown {
  if (isUncertain) return broadcastUncertainError(transactionHash, error);
  if (!(error instanceof GatewayStatusError)) return error;
  return INVALID_SIGNATURE.test(error.nodeError)
    ? signatureRefusedError(transactionHash, error)
    : broadcastRefusedError(transactionHash, error);
}
