import { toHex, ZbcSignerError } from '@zbc-signer/chain';
import { readBytes } from '../bytes.js';
import { eitherSignal, throwIfAborted } from '../cancellation.js';
import type { GatewayClient, TransactionStatus } from '../gateway/index.js';
import { afterApproval, notConfirmedError } from './errors.js';
import { awaitHeight } from './height.js';
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
  /** Longest pause between status requests, where the gateway has no events. Default: 1000. */
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
/** What a timer takes. */
const MAX_STREAM_MS = 2 ** 31 - 1;
const CONFIRMED = 'confirmed';
/** The first pause; each later one is twice as long, up to `pollMs`. */
const FIRST_POLL_MS = 125;
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
    return { ...submitted, status: stage, ...(blockHeight !== undefined && { blockHeight }) };
  } catch (error) {
    throw afterApproval(error, transactionHash, 'yes');
  }
}

function startConfirming(given: ConfirmOptions): ConfirmStep {
  const options = readOptions(given, 'gateway');
  const { gateway, waitsForConfirmation = true } = options;
  const { confirmationTimeoutMs = CONFIRMATION_TIMEOUT_MS, pollMs = POLL_MS } = options;
  return { ...startStep(options), gateway, waitsForConfirmation, confirmationTimeoutMs, pollMs };
}

/**
 * Waits for the gateway's events until the transaction is confirmed, polls where there are none, or asks once
 * if the step does not wait.
 */
async function awaitConfirmation(step: ConfirmStep, transactionHash: Uint8Array): Promise<TransactionStatus> {
  const deadline = step.clock.now() + step.confirmationTimeoutMs;
  const source: StatusSource = { isFollowed: step.waitsForConfirmation };
  let latest = UNKNOWN;
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs *= 2) {
    for await (const status of statusesOf(step, transactionHash, source, deadline)) {
      if (status.stage !== latest.stage) {
        step.report({ step: 'stage', stage: status.stage, blockHeight: status.blockHeight });
      }
      latest = status;
      if (latest.stage === CONFIRMED) return latest;
    }
    if (!step.waitsForConfirmation) return latest;
    if (step.clock.now() >= deadline) {
      throw notConfirmedError(toHex(transactionHash), latest.stage, step.confirmationTimeoutMs);
    }
    await step.clock.sleep(Math.min(pauseMs, step.pollMs), step.request.signal);
  }
}

/** Where the next status comes from. */
interface StatusSource {
  /** False once events failed: what is polled counts. */
  isFollowed: boolean;
}

/** Nothing if nothing is known; a passing failure of the gateway is ignored. */
async function* statusesOf(
  step: ConfirmStep,
  transactionHash: Uint8Array,
  source: StatusSource,
  deadline: number,
): AsyncGenerator<TransactionStatus> {
  const { gateway, request, clock } = step;
  try {
    if (source.isFollowed) {
      const leftMs = Math.min(MAX_STREAM_MS, Math.max(0, Math.ceil(deadline - clock.now())));
      const signal = eitherSignal(request.signal, AbortSignal.timeout(leftMs));
      yield* gateway.followStatus(transactionHash, { signal });
    } else {
      const status = await gateway.transactionStatus(transactionHash, request);
      if (status !== undefined) yield status;
    }
  } catch (error) {
    throwIfAborted(request.signal);
    const isIgnored = source.isFollowed || isPassing(error) || !step.waitsForConfirmation;
    if (!(error instanceof ZbcSignerError && isIgnored)) throw error;
    source.isFollowed = false;
  }
}
