import { toHex } from '@zbc-signer/chain';
import { readBytes } from '../bytes.js';
import { GatewayError } from '../errors.js';
import type { GatewayClient, TransactionStatus } from '../gateway/index.js';
import { afterApproval, notConfirmedError } from './errors.js';
import { awaitHeight } from './height.js';
import { hintedPauses } from './hinted-pause.js';
import { readOptions } from './input.js';
import type { SubmittedTransaction, TransactionOutcome } from './prepared.js';
import { isPassing } from './retry.js';
import { type GatewayStep, type StepOptions, startStep } from './step.js';

/** How to wait for a confirmation. */
export interface ConfirmOptions extends StepOptions {
  gateway: GatewayClient;
  /** False to ask once only. Default: true. */
  waitsForConfirmation?: boolean | undefined;
  /** Default: 180,000. */
  confirmationTimeoutMs?: number | undefined;
  /** Longest pause between status requests. Default: 1000. */
  pollMs?: number | undefined;
}

/** ConfirmOptions with defaults applied. */
interface ConfirmStep extends GatewayStep {
  waitsForConfirmation: boolean;
  confirmationTimeoutMs: number;
  pollMs: number;
}

const CONFIRMATION_TIMEOUT_MS = 180_000;
const POLL_MS = 1000;
const CONFIRMED = 'confirmed';
/** The first pause; each later one is twice as long, up to `pollMs`. */
const FIRST_POLL_MS = 125;
const STATUSES = ['staging', 'mempool', CONFIRMED] as const;
/** Until the status route reports a stage. */
const UNKNOWN: TransactionStatus = { stage: 'submitted' };

/**
 * Waits until the transaction is confirmed and the gateway's reads include its block. Rejects with
 * ZbcSignerError with `facts.transactionHash` and `facts.sent`: `NOT_CONFIRMED` on timeout,
 * `SUBMISSION_INTERRUPTED`, or a gateway's.
 */
export async function confirmTransaction(
  submitted: SubmittedTransaction,
  options: ConfirmOptions,
): Promise<TransactionOutcome> {
  const step = startConfirming(options);
  const transactionHash = readBytes('transactionHash', Object(submitted).transactionHash);
  try {
    const { stage, blockHeight } = await awaitConfirmation(step, transactionHash);
    if (blockHeight !== undefined && step.waitsForConfirmation) {
      await awaitHeight(step.gateway, blockHeight, { ...step.request, clock: step.clock });
    }
    return { ...submitted, status: statusOf(stage), ...(blockHeight !== undefined && { blockHeight }) };
  } catch (error) {
    throw afterApproval(error, transactionHash, 'yes');
  }
}

/** As in TransactionOutcome: a gateway may report any text. */
function statusOf(stage: string): TransactionOutcome['status'] {
  return STATUSES.find(status => status === stage) ?? 'submitted';
}

function startConfirming(given: ConfirmOptions): ConfirmStep {
  const options = readOptions(given, 'gateway');
  const { gateway, waitsForConfirmation = true } = options;
  const { confirmationTimeoutMs = CONFIRMATION_TIMEOUT_MS, pollMs = POLL_MS } = options;
  return { ...startStep(options), gateway, waitsForConfirmation, confirmationTimeoutMs, pollMs };
}

/** Polls until the transaction is confirmed, or once if the step does not wait; events may end a pause. */
async function awaitConfirmation(step: ConfirmStep, transactionHash: Uint8Array): Promise<TransactionStatus> {
  const deadline = step.clock.now() + step.confirmationTimeoutMs;
  const end = new AbortController();
  const pause = hintedPauses(step, transactionHash, end.signal);
  let latest = UNKNOWN;
  try {
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs *= 2) {
      const status = await readStatus(step, transactionHash);
      if (status !== undefined && status.stage !== latest.stage) {
        step.report({ step: 'stage', stage: status.stage, blockHeight: status.blockHeight });
      }
      latest = status ?? latest;
      if (latest.stage === CONFIRMED || !step.waitsForConfirmation) return latest;
      if (step.clock.now() >= deadline) {
        throw notConfirmedError(toHex(transactionHash), latest.stage, step.confirmationTimeoutMs);
      }
      await pause(Math.min(pauseMs, step.pollMs), status !== undefined);
    }
  } finally {
    end.abort();
  }
}

/** Undefined if nothing is known; a passing failure of the gateway is ignored. */
async function readStatus(
  step: ConfirmStep,
  transactionHash: Uint8Array,
): Promise<TransactionStatus | undefined> {
  try {
    return await step.gateway.transactionStatus(transactionHash, step.request);
  } catch (error) {
    if (isPassing(error) || (error instanceof GatewayError && !step.waitsForConfirmation)) return undefined;
    throw error;
  }
}
