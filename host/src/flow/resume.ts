import { LAST_BLOCK_DELAY_SECONDS, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { secondsOf } from '../clock.js';
import type { GatewayClient } from '../gateway/index.js';
import { unlessFailing } from './chain/chain.js';
import { retryRead } from './chain/retry.js';
import { confirmSubmitted } from './confirm.js';
import { afterApproval, afterSending } from './errors.js';
import { deadlineOf, type GatewayStep, startFlowStep, untilDeadline } from './flow-step.js';
import { readLaterOptions } from './input.js';
import {
  callJournal,
  findKept,
  guardJournal,
  keptBroadcastState,
  noteEnd,
  type PaymentJournal,
  pendingOf,
} from './journal/journal.js';
import type { ConfirmOptions, SubmitOptions } from './options.js';
import { type SignedTransaction, withJson } from './prepared.js';
import { broadcastStateOf, safeAfter } from './sent.js';
import { submitSigned } from './submit.js';

/** Options of `resumePayments`: those of submitting and confirming. */
export type ResumeOptions = Omit<SubmitOptions & ConfirmOptions, 'journal' | 'paysAgain'>;

/**
 * A payment's current state. `confirmed` and `expired` are final; `expired` means that all gateways report
 * that the chain lacks the payment, and that no node accepts it any more. `accepted` means that a node has
 * the payment. `unknown` means that the payment failed with `error`. `leftAlone` means that the payment
 * belongs to another chain, that another program is sending it, or that no gateway knows it and another
 * payment to its recipient may have been made.
 */
export interface ResumedPayment {
  payment: SignedTransaction;
  status: 'confirmed' | 'accepted' | 'expired' | 'unknown' | 'leftAlone';
  blockHeight?: bigint;
  error?: ZbcSignerError;
}

/**
 * Settles the pending payments of a journal one after the other: looks each payment up, sends the same bytes
 * again while the chain may accept them, and waits for the confirmation. All payments share one
 * `confirmationTimeoutMs`; payments that are not settled by then are left to the next call. Rejects with
 * `JOURNAL_FAILED`, or if the gateway does not report which chain it serves. The error of a single payment is
 * in its `error`.
 */
export async function resumePayments(
  givenJournal: PaymentJournal,
  givenOptions: ResumeOptions,
): Promise<ResumedPayment[]> {
  const journal = guardJournal(Object(givenJournal));
  const options = { ...readLaterOptions(givenOptions, undefined), journal };
  const deadlineMs = deadlineOf(options);
  try {
    const pending = await callJournal(() => pendingOf(journal), 'maybe');
    if (pending.length === 0) return [];
    const reader = { ...startFlowStep(options), deadlineMs };
    const { genesisHash } = await retryRead(reader, request => options.gateway.nodeInfo(request));
    const resumed: ResumedPayment[] = [];
    for (const listed of pending) {
      // The previous payments took time, so the journal is read again.
      const kept = findKept(await callJournal(() => pendingOf(journal), 'maybe'), listed);
      if (kept === undefined) continue;
      const { isInFlight, isHeld: _, ...payment } = kept;
      const isLeft = isInFlight === true || toHex(payment.genesisHash) !== toHex(genesisHash);
      const open = withJson({ ...payment, sent: keptBroadcastState(payment.sent) });
      const left: ResumedPayment = { payment: open, status: 'leftAlone' };
      resumed.push(withJson(isLeft ? left : await resumePayment(open, options, deadlineMs)));
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
  const step = { ...startFlowStep(options), gateway, otherGateways, deadlineMs };
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
      // A node may have accepted the payment before the error.
      error: afterApproval(error, payment, broadcastStateOf(error) === 'yes' ? 'yes' : payment.sent),
    };
  }
}

/**
 * Whether a payment has expired: no gateway knows it, and it is too old by this computer's clock and by the
 * time of every gateway's newest block.
 */
async function isExpired(step: GatewayStep, payment: SignedTransaction): Promise<boolean> {
  const end = safeAfter(payment.transaction) + LAST_BLOCK_DELAY_SECONDS;
  if (secondsOf(step.clock) < end) return false;
  // One gateway's block may be late, and another one that lags may not have the payment yet.
  const gateways = [step.gateway, ...step.otherGateways].flatMap(gateway => gateway.each ?? gateway);
  const times = await Promise.all(gateways.map(gateway => timeOf(step, gateway)));
  if (times.some(time => time === undefined || time < end)) return false;
  const found = await Promise.all(
    gateways.map(gateway =>
      retryRead(step, request => gateway.transactionStatus(payment.transactionHash, request)),
    ),
  );
  return found.every(status => status === undefined);
}

/** Time of the newest block in the gateway's reads, in Unix seconds, if reported. */
async function timeOf(step: GatewayStep, gateway: GatewayClient): Promise<bigint | undefined> {
  const chain = await unlessFailing(step, () => gateway.blockchainStatus(untilDeadline(step)));
  return chain?.latestBlock?.timestamp;
}
