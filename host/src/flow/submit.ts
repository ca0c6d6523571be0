import { type BroadcastState, encodeTransaction, toHex } from '@zbc-signer/chain';
import { throwIfAborted } from '../cancellation.js';
import { elapsedMs, secondsAhead, WINDOW_SECONDS } from '../clock.js';
import { checkSigned } from '../device/signed-transaction.js';
import { GatewayError } from '../errors.js';
import { GatewayStatusError } from '../gateway/errors.js';
import type { BroadcastReceipt, GatewayClient, TransactionStatus } from '../gateway/index.js';
import { describeFailedBroadcast, isBusy, isOutcomeUnknown, summariseAnswers } from './broadcast-failure.js';
import { unlessFailing } from './chain/chain.js';
import { pauseAfter, retryRead } from './chain/retry.js';
import {
  afterApproval,
  afterSending,
  broadcastRefusedError,
  broadcastUncertainError,
  duplicateTransactionError,
  hashMismatchError,
  heldPaymentError,
  signatureRefusedError,
  transactionExpiredError,
  transactionPostdatedError,
  unsettledPaymentError,
} from './errors.js';
import { deadlineOf, type GatewayStep, startFlowStep, untilDeadline } from './flow-step.js';
import { readLaterOptions } from './input.js';
import {
  callJournal,
  findKept,
  findUnsettled,
  holdOthers,
  keptBroadcastState,
  noteEnd,
  type PaymentJournal,
  type PendingPayment,
  pendingOf,
} from './journal/journal.js';
import { PROCESS_JOURNAL } from './journal/memory-journal.js';
import type { SubmitOptions } from './options.js';
import { type SignedTransaction, type SubmittedTransaction, withJson } from './prepared.js';
import { broadcastStateOf, takeUnsubmitted } from './sent.js';
import { copySigned } from './transaction-copy.js';

/** Pauses between the attempts of a broadcast. If the gateway stays busy, the last pause is repeated. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000];
/** Pause between two look-ups after a refusal: reads may lag behind broadcasts. */
const REFUSAL_PAUSE_MS = 1000;
/** Time reserved for the last look-up before the deadline. */
const LAST_LOOK_UP_MS = 2000;
const INVALID_SIGNATURE = /Invalid transaction signature$/;
/** The stages of a transaction that a node has accepted. */
const ACCEPTED_STAGES = ['staging', 'mempool', 'confirmed'];

/**
 * Broadcasts until the node has accepted or refused the transaction, or the deadline is near. The hash is
 * looked up before the first broadcast and after every failed one. A node has accepted the transaction if the
 * look-up finds it, or if the node reports a duplicate. Rejects with a ZbcSignerError with
 * `facts.transactionHash`, `facts.sent` and, unless that is `no`, `facts.safeAfter`: `DUPLICATE_TRANSACTION`
 * if the chain knew a new payment before anything was sent, `UNSETTLED_PAYMENT`, `TRANSACTION_POSTDATED`,
 * `TRANSACTION_EXPIRED`, `HASH_MISMATCH`, `BROADCAST_REFUSED`, `SIGNATURE_REFUSED`, `BROADCAST_UNCERTAIN`, `SUBMISSION_INTERRUPTED`
 * or a GatewayError.
 */
export async function submitTransaction(
  given: SignedTransaction,
  givenOptions: SubmitOptions,
): Promise<SubmittedTransaction> {
  const options = readLaterOptions(givenOptions, given);
  const deadlineMs = deadlineOf(options);
  return submitSigned(readSigned(given), options, deadlineMs);
}

/**
 * A transaction to submit. `sent` is what this program knows; `signed.sent` may be from an untrusted
 * document.
 */
export interface Submittable {
  signed: SignedTransaction;
  sent: BroadcastState;
  /** Whether a journal had it. If the journal lacks it later, another call has settled or withdrawn it. */
  isKept?: boolean;
}

/**
 * Copies a transaction and verifies its signature. The `sent` of the result, or of an error, is `maybe`,
 * because the transaction may be the copy of one that was sent. If this program has signed the transaction
 * and not yet submitted it, the result has the `sent` of the transaction, and an error has none.
 */
export function readSigned(given: SignedTransaction): Submittable {
  const isUnsubmitted = takeUnsubmitted(given);
  try {
    const signed = copySigned(given);
    const { genesisHash, publicKey, transaction } = signed;
    checkSigned(signed, { genesisHash, unsigned: encodeTransaction(transaction), publicKey });
    return { signed, sent: isUnsubmitted ? signed.sent : 'maybe' };
  } catch (error) {
    throw isUnsubmitted ? error : afterSending(error);
  }
}

/** Like `submitTransaction`, for a transaction that was checked and copied already. */
export async function submitSigned(
  { signed: given, sent, isKept = false }: Submittable,
  options: SubmitOptions,
  deadlineMs: number,
): Promise<SubmittedTransaction> {
  const { gateway, otherGateways = [], broadcastsToAll = false, journal = PROCESS_JOURNAL } = options;
  const step = { ...startFlowStep(options), gateway, otherGateways, deadlineMs };
  // The height in a journal is trusted, that in a document is not.
  const isFromDocument = sent !== 'no' && !isKept;
  const signed = isFromDocument ? await withPossibleHeight(step, given) : given;
  const targets = broadcastsToAll ? [gateway, ...otherGateways] : [gateway];
  const paysAgain = options.paysAgain === true;
  let isRivalled = false;
  const mayBeSent = async (sentSoFar: BroadcastState) => {
    if (paysAgain) return true;
    if (isRivalled) return false;
    const pending = await callJournal(() => pendingOf(journal), sentSoFar);
    // If the journal lacks the payment, another program has removed it, and another payment may have been
    // made.
    const kept = findKept(pending, signed);
    return kept !== undefined && kept.isHeld !== true;
  };
  const submission = new Submission(step, signed, targets, sent, mayBeSent, isFromDocument);
  try {
    const pending = await callJournal(() => pendingOf(journal), sent);
    const kept = findKept(pending, signed);
    if (isKept && kept === undefined) throw heldPaymentError(toHex(signed.transactionHash));
    if (kept !== undefined) {
      submission.noteKept(kept);
      // If another payment to the recipient is pending and not held, it is unknown which of the two should be
      // made, so neither is sent.
      isRivalled = findUnsettled(pending, signed).some(({ isHeld }) => isHeld !== true);
    }
    // A payment that was in the journal was checked by an earlier call. Any other payment is checked before
    // the journal keeps it. Otherwise `resumePayments` would send a payment that failed the check.
    const isAsked = !paysAgain && kept === undefined;
    if (isAsked) refuseUnsettled(pending, signed);
    if (paysAgain) await callJournal(() => holdOthers(journal, pending, signed), submission.sent);
    await keep(submission, journal, { isKept, isNew: kept === undefined });
    // Another program may have kept a payment to the recipient meanwhile, and neither program saw the
    // other's.
    if (isAsked) await refuseLater(submission, journal);
    return await submitKept(submission, journal);
  } catch (error) {
    throw afterApproval(error, signed, submission.sent);
  }
}

/** Limits the height to that of the chain. It is not signed, so a document may contain a greater one. */
async function withPossibleHeight(step: GatewayStep, signed: SignedTransaction): Promise<SignedTransaction> {
  const chain = await unlessFailing(step, () => step.gateway.blockchainStatus(untilDeadline(step)));
  return chain !== undefined && chain.height < signed.height ? { ...signed, height: chain.height } : signed;
}

function refuseUnsettled(pending: readonly PendingPayment[], signed: SignedTransaction): void {
  const [open] = findUnsettled(pending, signed);
  if (open !== undefined) throw unsettledPaymentError(open, 'this call sent nothing');
}

/**
 * Keeps a payment. If the journal fails, it may still have kept the payment, so a new payment is withdrawn. The
 * entry of an earlier call stays.
 */
async function keep(
  submission: Submission,
  journal: PaymentJournal,
  { isKept, isNew }: { isKept: boolean; isNew: boolean },
): Promise<void> {
  const { signed, sent } = submission;
  const payment = { ...signed, sent };
  let isFound: boolean | undefined;
  try {
    if (isKept) isFound = await callJournal(async () => journal.takeOver?.(payment), sent);
    if (isFound === undefined) await callJournal(() => journal.signed(payment), sent);
  } catch (error) {
    if (isNew && (await isKeptStill(journal, signed)) && sent === 'no') submission.sent = 'maybe';
    throw error;
  }
  if (isFound === false) throw heldPaymentError(toHex(signed.transactionHash));
}

/** Like `refuseUnsettled`, for a payment that is kept already. Before it throws, the payment is withdrawn. */
async function refuseLater(submission: Submission, journal: PaymentJournal): Promise<void> {
  const { signed } = submission;
  try {
    refuseUnsettled(await callJournal(() => pendingOf(journal)), signed);
  } catch (error) {
    if (await isTakenOver(journal, signed)) submission.sent = 'maybe';
    throw error;
  }
}

/** Submits a payment that the journal has, and notes the outcome in the journal. */
async function submitKept(submission: Submission, journal: PaymentJournal): Promise<SubmittedTransaction> {
  const { step, signed } = submission;
  const { transaction, transactionHash } = signed;
  try {
    // A node would refuse the transaction now, but accept it later from anybody who has its bytes.
    const { timestamp } = transaction;
    if (secondsAhead(step.clock, timestamp) > WINDOW_SECONDS) throw transactionPostdatedError(timestamp);
    const { duplicate } = await submission.run();
    await noteEnd(journal, transactionHash, 'accepted');
    step.report({ step: 'broadcast', transactionHash, duplicate });
    return withJson({ ...signed, sent: 'yes', duplicate });
  } catch (error) {
    if (submission.sent === 'no' && (await isTakenOver(journal, signed))) submission.sent = 'maybe';
    if (submission.sent !== 'no') {
      // Another program may have settled the payment meanwhile. It is kept again, because the journal must
      // have every payment that an error names.
      const isKept = await hasKept(journal, signed).catch(() => true);
      if (!isKept) await journal.signed(signed).catch(() => undefined);
      await noteEnd(journal, transactionHash, submission.sent === 'yes' ? 'accepted' : 'unknown');
    }
    throw error;
  }
}

/**
 * Withdraws this call's entry. Returns whether another program may have sent the payment: that program then
 * has its own entry, or has settled this one. The result is also true if the journal cannot be read.
 */
async function isTakenOver(journal: PaymentJournal, signed: SignedTransaction): Promise<boolean> {
  const wasKept = await hasKept(journal, signed).catch(() => false);
  return (await isKeptStill(journal, signed)) || !wasKept;
}

/** Withdraws this call's entry. Returns whether the journal still has the payment. */
async function isKeptStill(journal: PaymentJournal, signed: SignedTransaction): Promise<boolean> {
  await noteEnd(journal, signed.transactionHash, 'notSent');
  return hasKept(journal, signed).catch(() => true);
}

async function hasKept(journal: PaymentJournal, signed: SignedTransaction): Promise<boolean> {
  return findKept(await pendingOf(journal), signed) !== undefined;
}

class Submission {
  readonly #accepted: BroadcastReceipt;
  /** Answers to the broadcasts and the look-ups after them. */
  readonly #answers: string[] = [];
  #wasOnlyBusy = true;
  #losses = 0;
  #busies = 0;

  constructor(
    readonly step: GatewayStep,
    readonly signed: SignedTransaction,
    private readonly targets: readonly GatewayClient[],
    /**
     * `no` until this or an earlier call has sent a byte; `maybe` until a node confirms that it has the
     * transaction.
     */
    public sent: BroadcastState,
    /**
     * Called with the current `sent` before each broadcast. Returns false if the payment may only be looked
     * up. Rejects with `JOURNAL_FAILED`.
     */
    private readonly mayBeSent: (sent: BroadcastState) => Promise<boolean>,
    /** Whether the payment was read from a document, of which other programs may have copies. */
    private readonly isFromDocument: boolean,
  ) {
    this.#accepted = { transactionHash: signed.transactionHash, duplicate: true };
  }

  /** Notes that the journal had the payment before this call. */
  noteKept(kept: SignedTransaction): void {
    if (this.sent !== 'yes') this.sent = keptBroadcastState(kept.sent);
  }

  async run(): Promise<BroadcastReceipt> {
    // If there are several targets, the statement of one gateway must not prevent the broadcast to the
    // others.
    if ((await this.#isKnownBefore()) && this.targets.length === 1) return this.#accepted;
    for (;;) {
      if (!(await this.mayBeSent(this.sent))) {
        if (this.sent !== 'no' && (await this.#lookUp())) return this.#accepted;
        throw heldPaymentError(toHex(this.signed.transactionHash));
      }
      try {
        return await this.#broadcast();
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        const isLast = await this.#pause(error);
        if (this.sent !== 'no' && (await this.#isKnownAfter(error))) return this.#accepted;
        if (isLast) throw this.#explain(error);
      }
    }
  }

  /**
   * Throws `DUPLICATE_TRANSACTION` if the chain knows a new payment: another program has made an equal one.
   */
  async #isKnownBefore(): Promise<boolean> {
    const { step, signed } = this;
    const { transactionHash } = signed;
    const known = await retryRead(step, options => step.gateway.transactionStatus(transactionHash, options));
    if (known !== undefined && this.sent === 'no') {
      this.sent = 'maybe';
      throw duplicateTransactionError(toHex(transactionHash));
    }
    return isAccepted(known);
  }

  async #broadcast(): Promise<BroadcastReceipt> {
    const { step, signed } = this;
    throwIfAborted(step.request.signal);
    const { timestamp } = signed.transaction;
    // The review, or the time before this call, may have taken hours. A payment that this program sent before is
    // sent again, because a node's answer says more than this clock.
    const isFirst = this.sent === 'no' || (this.isFromDocument && this.#answers.length === 0);
    if (isFirst && secondsAhead(step.clock, timestamp) < -WINDOW_SECONDS)
      throw transactionExpiredError(timestamp);
    step.report({ step: 'submitting', signed: { ...signed, sent: 'maybe' } });
    const { sent } = this;
    if (sent === 'no') this.sent = 'maybe';
    try {
      const receipt = await this.#broadcastOnce();
      this.sent = 'yes';
      return receipt;
    } catch (error) {
      if (broadcastStateOf(error) === 'no') this.sent = sent;
      throw error;
    }
  }

  /**
   * Broadcasts to every target. Returns one receipt. If there is no receipt, throws the least conclusive error.
   */
  async #broadcastOnce(): Promise<BroadcastReceipt> {
    const { step, signed, targets } = this;
    const results = await Promise.all(
      targets.map(gateway =>
        gateway.broadcast(signed.transaction, signed.signature, untilDeadline(step)).then(
          receipt => ({ receipt }),
          (error: unknown) => ({ error }),
        ),
      ),
    );
    const receipts = results.flatMap(result => ('receipt' in result ? [result.receipt] : []));
    const signedHash = toHex(signed.transactionHash);
    const own = receipts.find(receipt => toHex(receipt.transactionHash) === signedHash);
    if (own !== undefined) return own;
    const [other] = receipts;
    if (other !== undefined) throw hashMismatchError(signedHash, toHex(other.transactionHash));
    const errors = results.flatMap(result => ('error' in result ? [result.error] : []));
    throw (
      errors.find(isOutcomeUnknown) ??
      errors.find(isBusy) ??
      errors.find(error => broadcastStateOf(error) !== 'no') ??
      errors[0]
    );
  }

  /** Waits after a failed broadcast. Returns true if there is no time or no reason for another one. */
  async #pause(error: GatewayError): Promise<boolean> {
    const { clock, request, deadlineMs, report } = this.step;
    this.#answers.push(describeFailedBroadcast(error));
    this.#wasOnlyBusy &&= isBusy(error);
    const wantedMs = this.#wantedPause(error);
    if (wantedMs === undefined) return true;
    const leftMs = Math.max(deadlineMs - elapsedMs(clock), 0);
    const isLast = wantedMs >= leftMs;
    const pauseMs = isLast ? leftMs - Math.min(LAST_LOOK_UP_MS, leftMs / 2) : wantedMs;
    report({ step: 'retry', error, pauseMs });
    await clock.sleep(pauseMs, request.signal);
    return isLast;
  }

  /** The pause before the next broadcast; undefined if the broadcast is not repeated. */
  #wantedPause(error: GatewayError): number | undefined {
    if (isBusy(error)) {
      const pauseMs = PAUSES_MS[Math.min(this.#busies++, PAUSES_MS.length - 1)]!;
      return pauseAfter(error, pauseMs);
    }
    return isOutcomeUnknown(error) || broadcastStateOf(error) === 'no'
      ? PAUSES_MS[this.#losses++]
      : undefined;
  }

  /**
   * Whether a gateway knows the transaction in spite of the error. The refusal of a node may be false, or may
   * be about a second copy after the first was accepted.
   */
  async #isKnownAfter(error: GatewayError): Promise<boolean> {
    if (await this.#lookUp()) return true;
    if (isBusy(error) || isOutcomeUnknown(error) || broadcastStateOf(error) === 'no') return false;
    const { clock, request, deadlineMs } = this.step;
    if (elapsedMs(clock) + REFUSAL_PAUSE_MS >= deadlineMs) return false;
    await clock.sleep(REFUSAL_PAUSE_MS, request.signal);
    return this.#lookUp();
  }

  /** Whether one of the gateways reports that the chain has the transaction. */
  async #lookUp(): Promise<boolean> {
    const { step, signed } = this;
    for (const gateway of [step.gateway, ...step.otherGateways]) {
      try {
        const status = await retryRead(step, options =>
          gateway.transactionStatus(signed.transactionHash, options),
        );
        if (isAccepted(status)) {
          this.sent = 'yes';
          return true;
        }
        this.#answers.push(`looked up: ${status?.stage ?? 'unknown'}`);
      } catch (error) {
        throwIfAborted(step.request.signal);
        if (!(error instanceof GatewayError)) throw error;
        this.#answers.push(`looked up: ${describeFailedBroadcast(error)}`);
      }
    }
    return false;
  }

  #explain(error: GatewayError): unknown {
    const hash = toHex(this.signed.transactionHash);
    if (this.sent === 'no' || this.#wasOnlyBusy) return error;
    if (!(error instanceof GatewayStatusError) || isOutcomeUnknown(error)) {
      return broadcastUncertainError(hash, summariseAnswers(this.#answers), error);
    }
    return INVALID_SIGNATURE.test(error.nodeError)
      ? signatureRefusedError(hash, error)
      : broadcastRefusedError(hash, error);
  }
}

function isAccepted(status: TransactionStatus | undefined): boolean {
  return status !== undefined && ACCEPTED_STAGES.includes(status.stage);
}
