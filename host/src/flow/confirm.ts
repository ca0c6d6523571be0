import { anySignal, toHex } from '@zbc-signer/chain';
import { readBytes } from '../bytes.js';
import { throwIfAborted } from '../cancellation.js';
import { elapsedMs } from '../clock.js';
import { GatewayError } from '../errors.js';
import { falseStatusError } from '../gateway/errors.js';
import type { TransactionStatus } from '../gateway/index.js';
import { describeFailedBroadcast } from './broadcast-failure.js';
import { pauseAfter } from './chain/retry.js';
import { afterApproval, notConfirmedError, readSent } from './errors.js';
import { deadlineOf, type GatewayStep, startFlowStep, untilDeadline } from './flow-step.js';
import { readLaterOptions } from './input.js';
import { holdOthers, noteEnd, type PaymentJournal, pendingOf } from './journal/journal.js';
import { PROCESS_JOURNAL } from './journal/memory-journal.js';
import type { ConfirmOptions } from './options.js';
import { type SubmittedTransaction, type TransactionOutcome, withJson } from './prepared.js';

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
 * once; the status is then `confirmed` only if these checks pass. No single answer ends the wait. Rejects with a
 * ZbcSignerError with `facts.transactionHash`, `facts.sent` and `facts.safeAfter`: at the deadline,
 * `NOT_CONFIRMED`, or `FALSE_STATUS` if the last confirmation cannot be true; or `SUBMISSION_INTERRUPTED`.
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
    return withJson({ ...submitted, status, ...(blockHeight !== undefined && { blockHeight }) });
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

/** What the last answers of a gateway say. */
interface Statement {
  status: TransactionStatus;
  /** Whether the status is confirmed, in a block that may have the transaction and that the reads include. */
  isConfirmed: boolean;
  /** The block of a confirmation, and since when the gateway names it, by the monotonic clock. */
  claim?: { block: bigint; sinceMs: number };
  /** Why the statement cannot be true. */
  lie?: GatewayError;
  /** Why the gateway did not answer the last request. */
  failure?: GatewayError;
}

/**
 * The status that a quorum of gateways report. All gateways are asked concurrently until a quorum agree or the
 * deadline has passed, and each counts by its last answer. Only the progress of the first one is reported.
 */
function confirmByQuorum(step: ConfirmStep): Promise<TransactionStatus> {
  const gateways = [step.gateway, ...step.otherGateways];
  const statements = gateways.map((): Statement => ({ status: UNKNOWN, isConfirmed: false }));
  const startMs = elapsedMs(step.clock);
  const end = new AbortController();
  const request = { signal: anySignal(step.request.signal, end.signal) };
  return new Promise<TransactionStatus>((resolve, reject) => {
    const followed = gateways.map((gateway, at) => {
      const report = at === 0 ? step.report : () => undefined;
      const following = followStatus({ ...step, gateway, request, report }, statement => {
        statements[at] = statement;
        if (agreeing(statements, statement.status) >= step.quorum) {
          resolve(statement.status);
          end.abort();
        }
      });
      return at === 0 ? following : following.catch(() => undefined);
    });
    Promise.all(followed)
      .then(() => withoutQuorum(step, statements, startMs))
      .then(resolve, reject);
  }).finally(() => end.abort());
}

/** The number of gateways that confirm the same block. Several gateways must name it. */
function agreeing(statements: readonly Statement[], { blockHeight }: TransactionStatus): number {
  if (blockHeight === undefined && statements.length > 1) return 0;
  return statements.filter(({ isConfirmed, status }) => isConfirmed && status.blockHeight === blockHeight)
    .length;
}

/** The status if the gateways do not agree. Throws if the step waits for the confirmation. */
function withoutQuorum(
  step: ConfirmStep,
  statements: readonly Statement[],
  startMs: number,
): TransactionStatus {
  const { status, isConfirmed, claim, lie, failure } = statements[0]!;
  if (lie !== undefined) throw lie;
  if (!step.waitsForConfirmation) return status.stage === CONFIRMED ? UNKNOWN : status;
  const waitedS = Math.round(Math.max(step.deadlineMs - startMs, 0) / 1000);
  const answered = failure === undefined ? '' : `, and the last answer ${describeFailedBroadcast(failure)}`;
  const fault = isConfirmed
    ? describeDisagreement(step, statements)
    : claim === undefined
      ? `the last stage after ${waitedS} s was ${status.stage}${answered}`
      : `the gateway's reads do not include block ${claim.block}${answered}`;
  throw notConfirmedError(toHex(step.transactionHash), status.stage, fault);
}

function describeDisagreement(step: ConfirmStep, statements: readonly Statement[]): string {
  const count = Math.max(...statements.map(({ status }) => agreeing(statements, status)));
  const liars = step.otherGateways.filter((_, at) => statements[at + 1]?.lie !== undefined);
  const lies = liars.map(({ url }) => url).join(' and ');
  return `${count} of ${statements.length} gateways confirm the same block, but ${step.quorum} are needed${lies && `; ${lies} sent a false status`}`;
}

/** Whether the error proves that the gateway's statement is false. */
function isLie(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.code === 'FALSE_STATUS';
}

/**
 * Polls the gateway until the deadline; only once if the step does not wait for the confirmation. No answer ends
 * the polling.
 */
async function followStatus(step: ConfirmStep, hear: (statement: Statement) => void): Promise<void> {
  const { clock, deadlineMs, pollMs, request } = step;
  let last: Statement = { status: UNKNOWN, isConfirmed: false };
  let pauseMs = FIRST_POLL_MS;
  do {
    const statement = await readStatement(step, last);
    hear(statement);
    throwIfAborted(request.signal);
    const leftMs = deadlineMs - elapsedMs(clock);
    if (!step.waitsForConfirmation || leftMs <= 0) return;
    // The reads usually include a block soon after its confirmation.
    if (statement.claim?.sinceMs !== last.claim?.sinceMs) pauseMs = FIRST_POLL_MS;
    last = statement;
    const wantedMs = pauseAfter(last.failure, Math.min(pauseMs, pollMs));
    await clock.sleep(Math.min(wantedMs, leftMs), request.signal);
    pauseMs = Math.min(2 * pauseMs, pollMs);
  } while (elapsedMs(clock) < deadlineMs);
}

/** Asks the gateway for the status and, if it is confirmed, for the height of its reads. */
async function readStatement(step: ConfirmStep, last: Statement): Promise<Statement> {
  const { gateway, transactionHash } = step;
  let statement = last;
  try {
    const status = await gateway.transactionStatus(transactionHash, untilDeadline(step));
    statement = statementOf(step, status, last);
    if (statement.claim === undefined) return statement;
    const { height } = await gateway.blockchainStatus(untilDeadline(step));
    return withHeight(step, statement, statement.claim, height);
  } catch (failure) {
    throwIfAborted(step.request.signal);
    if (!(failure instanceof GatewayError)) throw failure;
    return isLie(failure) ? { status: UNKNOWN, isConfirmed: false, lie: failure } : { ...statement, failure };
  }
}

/** The statement of an answer. If the gateway does not know the transaction, its last stage before stays. */
function statementOf(step: ConfirmStep, status: TransactionStatus | undefined, last: Statement): Statement {
  if (status?.stage !== CONFIRMED) {
    const earlier = last.status.stage === CONFIRMED ? UNKNOWN : last.status;
    if (status !== undefined && status.stage !== earlier.stage) reportStage(step, status);
    return { status: status ?? earlier, isConfirmed: false };
  }
  // If the gateway names no block, its chain must at least have grown since the preparation.
  const block = status.blockHeight ?? step.preparedHeight + 1n;
  const isSame = last.claim?.block === block;
  const claim = isSame ? last.claim! : { block, sinceMs: elapsedMs(step.clock) };
  const isConfirmed = isSame && last.isConfirmed;
  const isEarlier = !isConfirmed && block <= step.preparedHeight;
  return { status, isConfirmed, claim, ...(isEarlier && { lie: earlierBlockError(step, block) }) };
}

/**
 * The statement of a gateway whose reads have a height. A block can contain the transaction if it is above the
 * prepared height. If the reads do not reach that height within LAG_MS, the prepared height was false, and any
 * block that they include can contain it. A block that they do not include by then does not exist.
 */
function withHeight(
  step: ConfirmStep,
  { status, lie }: Statement,
  claim: { block: bigint; sinceMs: number },
  height: bigint,
): Statement {
  const { clock, gateway, preparedHeight } = step;
  const { block, sinceMs } = claim;
  const isLate = elapsedMs(clock) - sinceMs >= LAG_MS;
  const mayContain = block > preparedHeight || (isLate && height < preparedHeight);
  if (mayContain && height >= block) return { status, isConfirmed: true, claim };
  if (!isLate) return { status, isConfirmed: false, claim, ...(lie && { lie }) };
  const missing = falseStatusError(
    `the gateway reported block ${block}, but ${LAG_MS / 1000} s later its newest block is ${height}`,
    {
      transactionHash: toHex(step.transactionHash),
      blockHeight: `${block}`,
      height: `${height}`,
      url: gateway.url,
    },
  );
  return { status, isConfirmed: false, claim, lie: mayContain ? missing : earlierBlockError(step, block) };
}

function earlierBlockError(
  { transactionHash, preparedHeight, gateway }: ConfirmStep,
  block: bigint,
): GatewayError {
  return falseStatusError(
    `the gateway reported a confirmation in block ${block}, but the transaction was prepared after block ${preparedHeight}`,
    {
      transactionHash: toHex(transactionHash),
      blockHeight: `${block}`,
      preparedHeight: `${preparedHeight}`,
      url: gateway.url,
    },
  );
}

function reportStage({ report }: ConfirmStep, { stage, blockHeight }: TransactionStatus): void {
  report({ step: 'stage', stage, blockHeight });
}
