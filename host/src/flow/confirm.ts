import { toHex } from '@zbc-signer/chain';
import { readBytes } from '../bytes.js';
import { eitherSignal } from '../cancellation.js';
import { elapsedMs } from '../clock.js';
import { GatewayError } from '../errors.js';
import { falseStatusError } from '../gateway/errors.js';
import type { TransactionStatus } from '../gateway/index.js';
import { unlessFailing } from './chain/chain.js';
import { pollHeight } from './chain/height.js';
import { hintedPauses } from './chain/hinted-pause.js';
import { isPassing, pauseAfter } from './chain/retry.js';
import { afterApproval, notConfirmedError, readSent } from './errors.js';
import { deadlineOf, type GatewayStep, startFlowStep, untilDeadline } from './flow-step.js';
import { readLaterOptions } from './input.js';
import { holdOthers, noteEnd, type PaymentJournal, pendingOf } from './journal/journal.js';
import { PROCESS_JOURNAL } from './journal/memory-journal.js';
import type { ConfirmOptions } from './options.js';
import type { SubmittedTransaction, TransactionOutcome } from './prepared.js';

/** ConfirmOptions with defaults applied, and the transaction to confirm. */
interface ConfirmStep extends GatewayStep {
  transactionHash: Uint8Array;
  /** Height of the newest block when the transaction was prepared. */
  preparedHeight: bigint;
  waitsForConfirmation: boolean;
  pollMs: number;
  quorum: number;
}

const POLL_MS = 1000;
/** The first pause; each later one is twice as long, up to `pollMs`. */
const FIRST_POLL_MS = 125;
/** Time within which an archival node must catch up with the node that reported the confirmation. */
const LAG_MS = 30_000;
const CONFIRMED = 'confirmed';
const STATUSES = ['staging', 'mempool', CONFIRMED] as const;
/** The status until the status route reports a stage. */
const UNKNOWN: TransactionStatus = { stage: 'submitted' };

/**
 * Waits until the transaction is confirmed and the gateway's reads include its block. With several gateways,
 * waits until a quorum of them agree on the block. If `waitsForConfirmation` is false, asks each gateway
 * once; the status is then `confirmed` only if these checks pass. Rejects with a ZbcSignerError with
 * `facts.transactionHash`, `facts.sent` and `facts.safeAfter`: `NOT_CONFIRMED` at the deadline,
 * `FALSE_STATUS` for a confirmation that cannot be true, `SUBMISSION_INTERRUPTED`, or a GatewayError.
 */
export async function confirmTransaction(
  submitted: SubmittedTransaction,
  givenOptions: ConfirmOptions,
): Promise<TransactionOutcome> {
  const options = readLaterOptions(givenOptions, submitted);
  const transactionHash = readSent(() => readBytes('transactionHash', Object(submitted).transactionHash));
  return confirmSubmitted({ ...submitted, transactionHash }, options, deadlineOf(options));
}

/** Like `confirmTransaction`, for arguments that were checked and copied already. */
export async function confirmSubmitted(
  submitted: SubmittedTransaction,
  options: ConfirmOptions,
  deadlineMs: number,
): Promise<TransactionOutcome> {
  const { journal = PROCESS_JOURNAL } = options;
  const { transactionHash } = submitted;
  try {
    const step = startConfirming(submitted, options, deadlineMs);
    const latest = await confirmByQuorum(step);
    if (latest.stage === CONFIRMED) reportStage(step, latest);
    const { stage, blockHeight } = latest;
    const status = STATUSES.find(known => known === stage) ?? 'submitted';
    await (status === CONFIRMED
      ? noteConfirmed(journal, submitted)
      : noteEnd(journal, transactionHash, 'accepted'));
    return { ...submitted, status, ...(blockHeight !== undefined && { blockHeight }) };
  } catch (error) {
    const isTaken = !isLie(error) && submitted.sent === 'yes';
    await noteEnd(journal, transactionHash, isTaken ? 'accepted' : 'unknown');
    throw afterApproval(error, submitted, isTaken ? 'yes' : 'maybe');
  }
}

/**
 * Holds the other pending payments to the recipient, and removes this payment from the journal. There are
 * other payments if another program kept one before it could see this payment, or if this payment was made
 * with `paysAgain`. If the journal fails to hold them, this payment stays in it.
 */
async function noteConfirmed(journal: PaymentJournal, submitted: SubmittedTransaction): Promise<void> {
  try {
    await holdOthers(journal, await pendingOf(journal), submitted);
  } catch {
    return;
  }
  await noteEnd(journal, submitted.transactionHash, CONFIRMED);
}

function startConfirming(
  { transactionHash, height }: SubmittedTransaction,
  options: ConfirmOptions,
  deadlineMs: number,
): ConfirmStep {
  const { gateway, otherGateways = [], waitsForConfirmation = true, pollMs = POLL_MS } = options;
  const { quorum = Math.floor((otherGateways.length + 1) / 2) + 1 } = options;
  const preparedHeight = typeof height === 'bigint' ? height : 0n;
  const subject = { transactionHash, preparedHeight, deadlineMs };
  return {
    ...startFlowStep(options),
    ...subject,
    gateway,
    otherGateways,
    waitsForConfirmation,
    pollMs,
    quorum,
  };
}

/**
 * The status that a quorum of gateways report. All gateways are asked concurrently; only the progress of the
 * first gateway is reported.
 */
async function confirmByQuorum(step: ConfirmStep): Promise<TransactionStatus> {
  const { gateway, otherGateways, request, quorum } = step;
  if (otherGateways.length === 0) return confirmBy(step);
  const end = new AbortController();
  const signal = eitherSignal(request.signal, end.signal);
  const waits = [gateway, ...otherGateways].map((each, at) =>
    confirmBy({
      ...step,
      gateway: each,
      request: { signal },
      report: event => (at === 0 ? step.report(event) : undefined),
    }),
  );
  try {
    return await firstAgreed(waits, quorum, (first, agreeing, liars) => {
      if (step.waitsForConfirmation) throw quorumError(step, agreeing, waits.length, liars);
      return first.stage === CONFIRMED ? UNKNOWN : first;
    });
  } finally {
    end.abort();
  }
}

/**
 * The confirmation that `quorum` gateways agree on. If they do not agree, throws the error of the first
 * gateway or, if that gateway had none, returns the result of `disagree`.
 */
async function firstAgreed(
  waits: readonly Promise<TransactionStatus>[],
  quorum: number,
  disagree: (first: TransactionStatus, agreeing: number, liars: readonly string[]) => TransactionStatus,
): Promise<TransactionStatus> {
  const votes = new Map<string, number>();
  const agreed = new Promise<TransactionStatus>(resolve => {
    for (const wait of waits) {
      wait.then(
        status => {
          if (status.stage !== CONFIRMED || status.blockHeight === undefined) return;
          const block = `${status.blockHeight}`;
          votes.set(block, (votes.get(block) ?? 0) + 1);
          if (votes.get(block) === quorum) resolve(status);
        },
        () => undefined,
      );
    }
  });
  const ended = Promise.allSettled(waits).then(async results => {
    const lies = results
      .flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
      .filter(isLie);
    const liars = lies.map(({ facts }) => `${facts.url}`);
    return disagree(await waits[0]!, Math.max(0, ...votes.values()), liars);
  });
  return Promise.race([agreed, ended]);
}

/** Whether the error proves that the gateway's statement is false. */
function isLie(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.code === 'FALSE_STATUS';
}

function quorumError(
  { transactionHash, quorum }: ConfirmStep,
  agreeing: number,
  asked: number,
  liars: readonly string[],
): Error {
  const lies = liars.length === 0 ? '' : `; ${liars.join(' and ')} sent a false status`;
  return notConfirmedError(
    toHex(transactionHash),
    CONFIRMED,
    `${agreeing} of ${asked} gateways confirm the same block, but ${quorum} are needed${lies}`,
  );
}

async function confirmBy(step: ConfirmStep): Promise<TransactionStatus> {
  const status = await awaitConfirmation(step);
  if (status.stage !== CONFIRMED) return status;
  return (await includesBlock(step, status.blockHeight)) ? status : UNKNOWN;
}

/**
 * Whether the gateway's reads include the confirming block. Waits for the block if the step waits for the
 * confirmation. Throws `FALSE_STATUS` if the block cannot contain the transaction, or if the chain lacks the
 * block. A block can contain the transaction if it is above the prepared height, or if this gateway's chain
 * does not reach that height.
 */
async function includesBlock(step: ConfirmStep, blockHeight?: bigint): Promise<boolean> {
  const { gateway, preparedHeight, clock, request, deadlineMs, waitsForConfirmation } = step;
  const transactionHash = toHex(step.transactionHash);
  // If the gateway names no block, its chain must at least have grown since the preparation.
  const wanted = blockHeight ?? preparedHeight + 1n;
  const isEarlier = wanted <= preparedHeight;
  if (!waitsForConfirmation && !isEarlier) {
    const chain = await unlessFailing(step, () => gateway.blockchainStatus(untilDeadline(step)));
    return chain !== undefined && chain.height >= wanted;
  }
  const lagEndsMs = elapsedMs(clock) + LAG_MS;
  const isCut = deadlineMs < lagEndsMs;
  const reader = { clock, request, deadlineMs: Math.min(lagEndsMs, deadlineMs) };
  const height = waitsForConfirmation
    ? await pollHeight(gateway, isEarlier ? preparedHeight : wanted, reader)
    : undefined;
  // A chain that does not reach the prepared height shows that this height was reported falsely.
  if (isEarlier && (height === undefined || isCut || height >= preparedHeight)) {
    throw falseStatusError(
      `the gateway reported a confirmation in block ${wanted}, but the transaction was prepared after block ${preparedHeight}`,
      { transactionHash, blockHeight: `${wanted}`, preparedHeight: `${preparedHeight}`, url: gateway.url },
    );
  }
  if (height !== undefined && height >= wanted) return true;
  if (height === undefined || isCut) {
    throw notConfirmedError(transactionHash, CONFIRMED, `the gateway's reads do not include block ${wanted}`);
  }
  throw falseStatusError(
    `the gateway reported block ${wanted}, but ${LAG_MS / 1000} s later its newest block is ${height}`,
    { transactionHash, blockHeight: `${wanted}`, height: `${height}`, url: gateway.url },
  );
}

/**
 * Polls the status until the transaction is confirmed; only once if the step does not wait for the
 * confirmation. An event of the gateway may end a pause early.
 */
async function awaitConfirmation(step: ConfirmStep): Promise<TransactionStatus> {
  const { clock, deadlineMs, transactionHash, pollMs } = step;
  const startMs = elapsedMs(clock);
  const end = new AbortController();
  const pause = hintedPauses(step, transactionHash, end.signal);
  let latest = UNKNOWN;
  try {
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, pollMs)) {
      const { status, failure } = await readStatus(step);
      if (status?.stage === CONFIRMED) return status;
      if (status !== undefined && status.stage !== latest.stage) reportStage(step, status);
      latest = status ?? latest;
      if (!step.waitsForConfirmation) return latest;
      const leftMs = deadlineMs - elapsedMs(clock);
      if (leftMs <= 0) throw overdueError(step, latest, startMs);
      await pause(Math.min(pauseAfter(failure, Math.min(pauseMs, pollMs)), leftMs), status !== undefined);
    }
  } finally {
    end.abort();
  }
}

function overdueError(step: ConfirmStep, { stage }: TransactionStatus, startMs: number): Error {
  const waitedMs = Math.max(step.deadlineMs - startMs, 0);
  const fault = `the last stage after ${Math.round(waitedMs / 1000)} s was ${stage}`;
  return notConfirmedError(toHex(step.transactionHash), stage, fault);
}

function reportStage({ report }: ConfirmStep, { stage, blockHeight }: TransactionStatus): void {
  report({ step: 'stage', stage, blockHeight });
}

/** Reads the status; undefined if the gateway does not know the transaction or fails temporarily. */
async function readStatus(
  step: ConfirmStep,
): Promise<{ status?: TransactionStatus | undefined; failure?: unknown }> {
  try {
    return { status: await step.gateway.transactionStatus(step.transactionHash, untilDeadline(step)) };
  } catch (failure) {
    const isIgnored = failure instanceof GatewayError && !step.waitsForConfirmation;
    if (isPassing(failure) || (isIgnored && failure.code !== 'FALSE_STATUS')) return { failure };
    throw failure;
  }
}
