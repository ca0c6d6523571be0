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
/** Time for an archival node to catch up with the node that confirmed. */
const LAG_MS = 30_000;
const CONFIRMED = 'confirmed';
const STATUSES = ['staging', 'mempool', CONFIRMED] as const;
/** The status until the status route reports a stage. */
const UNKNOWN: TransactionStatus = { stage: 'submitted' };

/**
 * Waits until the transaction is confirmed and the gateway's reads include its block; with several gateways,
 * until a quorum of them agree on the block. Without waiting, each is asked once, and an unchecked result is
 * not `confirmed`. Rejects with ZbcSignerError with `facts.transactionHash`, `facts.sent` and
 * `facts.safeAfter`: `NOT_CONFIRMED` at the deadline, `FALSE_STATUS` for a confirmation that cannot be true,
 * `SUBMISSION_INTERRUPTED`, or a gateway's.
 */
export async function confirmTransaction(
  submitted: SubmittedTransaction,
  givenOptions: ConfirmOptions,
): Promise<TransactionOutcome> {
  const options = readLaterOptions(givenOptions, submitted);
  const transactionHash = readSent(() => readBytes('transactionHash', Object(submitted).transactionHash));
  return confirmSubmitted({ ...submitted, transactionHash }, options, deadlineOf(options));
}

/** Like `confirmTransaction`, for arguments that were read already. */
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
 * Other pending payments to the recipient were left by a program before it could ask about this one, or this
 * one was made in spite of them: they are held. If that cannot be noted, this payment stays in the journal,
 * so that it is not forgotten.
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
 * The status that a quorum of gateways report; all are asked concurrently, and progress is that of the first.
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
 * The confirmation that `quorum` gateways agree on; otherwise the first one's error, or the error for their
 * disagreement.
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
  const lies = liars.length === 0 ? '' : `; what ${liars.join(' and ')} says cannot be true`;
  return notConfirmedError(
    toHex(transactionHash),
    CONFIRMED,
    `${agreeing} of ${asked} gateways confirm it in the same block, ${quorum} are needed${lies}`,
  );
}

async function confirmBy(step: ConfirmStep): Promise<TransactionStatus> {
  const status = await awaitConfirmation(step);
  if (status.stage !== CONFIRMED) return status;
  return (await includesBlock(step, status.blockHeight)) ? status : UNKNOWN;
}

/**
 * Whether the gateway's reads include the block; waits for it if the step waits. Throws `FALSE_STATUS` for a
 * block that cannot contain the transaction, or that the chain lacks.
 */
async function includesBlock(step: ConfirmStep, blockHeight?: bigint): Promise<boolean> {
  const { gateway, preparedHeight, clock, request, deadlineMs, waitsForConfirmation } = step;
  const transactionHash = toHex(step.transactionHash);
  if (blockHeight !== undefined && blockHeight <= preparedHeight) {
    const facts = { blockHeight: `${blockHeight}`, preparedHeight: `${preparedHeight}`, url: gateway.url };
    throw falseStatusError(
      `block ${blockHeight} should confirm it, and block ${preparedHeight} was there before it was signed`,
      { transactionHash, ...facts },
    );
  }
  // A gateway that names no block must at least have a newer one than before.
  const wanted = blockHeight ?? preparedHeight + 1n;
  if (!waitsForConfirmation) {
    const chain = await unlessFailing(step, () => gateway.blockchainStatus(untilDeadline(step)));
    return chain !== undefined && chain.height >= wanted;
  }
  const lagEndsMs = elapsedMs(clock) + LAG_MS;
  const reader = { clock, request, deadlineMs: Math.min(lagEndsMs, deadlineMs) };
  const height = await pollHeight(gateway, wanted, reader);
  if (height !== undefined && height >= wanted) return true;
  if (height === undefined || deadlineMs < lagEndsMs) {
    throw notConfirmedError(transactionHash, CONFIRMED, `the gateway's reads do not include block ${wanted}`);
  }
  throw falseStatusError(
    `block ${wanted} should confirm it, and ${LAG_MS / 1000} s later the chain ends at block ${height}`,
    { transactionHash, blockHeight: `${wanted}`, height: `${height}`, url: gateway.url },
  );
}

/** Polls until the transaction is confirmed, or once if the step does not wait; events may end a pause. */
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
  const fault = `within ${Math.round(waitedMs / 1000)} s; the last stage was ${stage}`;
  return notConfirmedError(toHex(step.transactionHash), stage, fault);
}

function reportStage({ report }: ConfirmStep, { stage, blockHeight }: TransactionStatus): void {
  report({ step: 'stage', stage, blockHeight });
}

/** Reads the status; undefined if it is unknown, or if the gateway fails temporarily. */
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
