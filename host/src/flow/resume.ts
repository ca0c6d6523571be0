import { toHex, ZbcSignerError } from '@zbc-signer/chain';
import { secondsOf } from '../clock.js';
import type { GatewayClient } from '../gateway/index.js';
import { unlessFailing } from './chain/chain.js';
import { retryRead } from './chain/retry.js';
import { confirmSubmitted } from './confirm.js';
import { afterApproval, afterSending } from './errors.js';
import { readLaterOptions } from './input.js';
import {
  callJournal,
  findKept,
  keptSent,
  noteEnd,
  type PaymentJournal,
  pendingOf,
} from './journal/journal.js';
import type { ConfirmOptions, SubmitOptions } from './options.js';
import type { SignedTransaction } from './prepared.js';
import { safeAfter, sentOf } from './sent.js';
import { deadlineOf, type GatewayStep, startStep, untilDeadline } from './step.js';
import { submitSigned } from './submit.js';

/** For a block that was made in time to reach those who report it. */
const SETTLING_SECONDS = 120n;

/** How to settle what a journal has left: as to submit and to confirm. */
export type ResumeOptions = Omit<SubmitOptions & ConfirmOptions, 'journal' | 'paysAgain'>;

/**
 * What is known of a payment now. `confirmed` and `expired` settle it; of `expired` all gateways say that the
 * chain does not have it, and it takes it no more. `accepted` is on its way; of `unknown`, `error` says why
 * nobody can tell. `leftAlone` is of another chain than the gateway's, or another program is sending it, or no
 * gateway has it and another payment to its recipient was made, or may be.
 */
export interface ResumedPayment {
  payment: SignedTransaction;
  status: 'confirmed' | 'accepted' | 'expired' | 'unknown' | 'leftAlone';
  blockHeight?: bigint;
  error?: ZbcSignerError;
}

/**
 * Settles the payments that a journal has left, one after the other: looks each up, sends the same bytes
 * again while the chain may take them, and waits for the confirmation. All have one `confirmationTimeoutMs`;
 * what is not settled by then is so at the next call. Rejects with `JOURNAL_FAILED`, or if
 * the gateway does not say which chain it serves; what goes wrong with one payment is in its `error`.
 */
export async function resumePayments(
  journal: PaymentJournal,
  givenOptions: ResumeOptions,
): Promise<ResumedPayment[]> {
  const options = { ...readLaterOptions(givenOptions, undefined), journal };
  const deadlineMs = deadlineOf(options);
  try {
    const pending = await callJournal(() => pendingOf(journal), 'maybe');
    if (pending.length === 0) return [];
    const reader = { ...startStep(options), deadlineMs };
    const { genesisHash } = await retryRead(reader, request => options.gateway.nodeInfo(request));
    const resumed: ResumedPayment[] = [];
    for (const listed of pending) {
      // What comes before it takes its time.
      const kept = findKept(await callJournal(() => pendingOf(journal), 'maybe'), listed);
      if (kept === undefined) continue;
      const { isInFlight, isHeld: _, ...payment } = kept;
      const isLeft = isInFlight === true || toHex(payment.genesisHash) !== toHex(genesisHash);
      const open = { ...payment, sent: keptSent(payment.sent) };
      resumed.push(
        isLeft ? { payment: open, status: 'leftAlone' } : await resumePayment(open, options, deadlineMs),
      );
    }
    return resumed;
  } catch (error) {
    throw afterSending(error);
  }
}

async function resumePayment(
  payment: SignedTransaction,
  options: ResumeOptions & { journal: PaymentJournal },
  deadlineMs: number,
): Promise<ResumedPayment> {
  const { gateway, otherGateways = [] } = options;
  const step = { ...startStep(options), gateway, otherGateways, deadlineMs };
  try {
    if (await isExpired(step, payment)) {
      await noteEnd(options.journal, payment.transactionHash, 'expired');
      return { payment, status: 'expired' };
    }
    const submittable = { signed: payment, sent: payment.sent, isKept: true };
    const submitted = await submitSigned(submittable, options, deadlineMs);
    const { status, blockHeight } = await confirmSubmitted(submitted, options, deadlineMs);
    return {
      payment,
      status: status === 'confirmed' ? status : 'accepted',
      ...(blockHeight !== undefined && { blockHeight }),
    };
  } catch (error) {
    if (error instanceof ZbcSignerError && error.code === 'UNSETTLED_PAYMENT') {
      return { payment, status: 'leftAlone' };
    }
    return {
      payment,
      status: 'unknown',
      // A node may have said that it has the payment, before this went wrong.
      error: afterApproval(error, payment, sentOf(error) === 'yes' ? 'yes' : payment.sent),
    };
  }
}

/** Whether no gateway knows the payment, and by this clock and the newest block of each none takes it any more. */
async function isExpired(step: GatewayStep, payment: SignedTransaction): Promise<boolean> {
  const end = safeAfter(payment.transaction) + SETTLING_SECONDS;
  if (secondsOf(step.clock) < end) return false;
  const gateways = [step.gateway, ...step.otherGateways];
  const times = await Promise.all(gateways.map(gateway => timeOf(step, gateway)));
  if (times.some(time => time === undefined || time < end)) return false;
  const found = await Promise.all(
    gateways.map(gateway =>
      retryRead(step, request => gateway.transactionStatus(payment.transactionHash, request)),
    ),
  );
  return found.every(status => status === undefined);
}

/** When the newest block was made that the gateway's reads include, in Unix seconds, if it says so. */
async function timeOf(step: GatewayStep, gateway: GatewayClient): Promise<bigint | undefined> {
  const chain = await unlessFailing(step, () => gateway.blockchainStatus(untilDeadline(step)));
  return chain?.latestBlock?.timestamp;
}
