import type { Transaction } from '../../../chain/src/index.js';
import {
  GatewayAnswerError,
  GatewayBusyError,
  GatewayStatusError,
  GatewayUnreachableError,
} from '../gateway/errors.js';
import type { BroadcastReceipt } from '../gateway/index.js';
import { BroadcastRefusedError, BroadcastUncertainError, SignatureRefusedError } from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';

/** Pauses between the tries of a broadcast. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000];
const INVALID_SIGNATURE = /Invalid transaction signature$/;

/** What is broadcast; the hash in lower hex. */
export interface SignedTransfer {
  transaction: Transaction;
  signature: Uint8Array;
  transactionHash: string;
}

/**
 * Broadcasts until the node has taken or refused it. After an answer that was lost the status route is asked for the hash
 * before anything is sent again; a node that knows it already has taken it.
 */
export async function submitTransaction(run: Run, signed: SignedTransfer): Promise<BroadcastReceipt> {
  let answerLost = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run.gateway.broadcast(signed.transaction, signed.signature, run.request);
    } catch (error) {
      answerLost ||= losesAnswer(error);
      const mayPass = losesAnswer(error) || error instanceof GatewayBusyError;
      const pauseMs = mayPass ? PAUSES_MS[attempt] : undefined;
      if (pauseMs !== undefined) {
        run.report({ step: 'retry', error, pauseMs });
        await run.clock.sleep(pauseMs, run.request.signal);
      }
      // Asked after a refusal too: it can be of the second copy, the first one having been taken.
      const receipt = answerLost ? await askForReceipt(run, signed) : undefined;
      if (receipt !== undefined) {
        return receipt;
      }
      if (pauseMs === undefined) {
        throw explain(error, mayPass && answerLost, signed.transactionHash);
      }
    }
  }
}

/** Whether the node may have taken a broadcast that failed like this. */
function losesAnswer(error: unknown): boolean {
  return (
    error instanceof GatewayUnreachableError ||
    error instanceof GatewayAnswerError ||
    (error instanceof GatewayStatusError && error.status >= 500)
  );
}

/** Undefined when the chain does not know the hash. */
async function askForReceipt(
  run: Run,
  { transactionHash }: SignedTransfer,
): Promise<BroadcastReceipt | undefined> {
  try {
    const status = await retryRead(run, options => run.gateway.transactionStatus(transactionHash, options));
    return status && { transactionHash, duplicate: true };
  } catch (error) {
    run.request.signal?.throwIfAborted();
    throw new BroadcastUncertainError(transactionHash, error);
  }
}

function explain(error: unknown, isUncertain: boolean, transactionHash: string): unknown {
  if (isUncertain) {
    return new BroadcastUncertainError(transactionHash, error);
  }
  if (!(error instanceof GatewayStatusError)) {
    return error;
  }
  return INVALID_SIGNATURE.test(error.nodeError)
    ? new SignatureRefusedError(transactionHash, error)
    : new BroadcastRefusedError(transactionHash, error);
}
