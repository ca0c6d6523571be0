import {
  type BroadcastState,
  encodeAccount,
  encodeTransaction,
  invalidInputError,
  toHex,
} from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { copyBytes } from '../../bytes.js';
import { journalError, journalErrorBeforeSending } from '../errors.js';
import { copyOf, type SignedTransaction } from '../prepared.js';

/**
 * The outcome of a signed payment. `confirmed` and `expired` settle it; `expired` means that the chain lacks
 * the payment and no longer accepts it. `accepted` and `unknown` leave it pending; `accepted` means that a
 * node has the payment. `notSent` means that one call has sent no byte of it. Other calls may have sent the
 * same payment.
 */
export type PaymentEnd = 'confirmed' | 'accepted' | 'notSent' | 'expired' | 'unknown';

/** A signed payment whose outcome on the chain is not known. */
export interface PendingPayment extends SignedTransaction {
  /** Whether a running program is sending it. Default: false. */
  isInFlight?: boolean | undefined;
  /** Whether `resumePayments` only looks it up, without sending it: see `hold`. Default: false. */
  isHeld?: boolean | undefined;
}

/**
 * A transaction that is about to be signed. Transactions that differ only in the timestamp count as equal.
 */
export type Reservation = Pick<SignedTransaction, 'genesisHash' | 'transaction'>;

/**
 * Keeps payments from the signature until their outcome is known, so that a killed program neither loses a
 * payment nor pays twice. `resumePayments` settles the payments that are left in a journal.
 */
export interface PaymentJournal {
  /**
   * Keeps a signed payment under its hash, replacing an earlier entry. In the entry, a `sent` of `no` becomes
   * `maybe`. The caller awaits this method before it sends the first byte of the payment. If the method
   * rejects, nothing is sent.
   */
  signed(payment: SignedTransaction): Promise<void>;
  /**
   * Like `signed`, for a payment that was found in this journal. If another program has meanwhile settled or
   * withdrawn the payment, returns false and does not keep it; check and write are atomic. Without this
   * method, `signed` is called. Another program that withdraws the payment at that moment may then report
   * that it was not sent, although this program sends it.
   */
  takeOver?(payment: SignedTransaction): Promise<boolean>;
  /**
   * Notes the outcome of the payment with this 32-byte hash. `confirmed` and `expired` remove its entry.
   * `accepted` sets its `sent` to `yes`, `unknown` to `maybe`. `notSent` removes the entry only when as many
   * calls have ended with `notSent` as there were calls of `signed`.
   */
  ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void>;
  /** The payments that are not settled. */
  pending(): Promise<readonly PendingPayment[]>;
  /**
   * Holds the payment with this 32-byte hash: `resumePayments` then looks it up, but no longer sends it.
   * Called if another payment to the same recipient was made or is about to be made. Without this method,
   * `resumePayments` sends the held payment once the other payment is settled, so the recipient may be paid
   * twice.
   */
  hold?(transactionHash: Uint8Array): Promise<void>;
  /**
   * Reserves a timestamp: the first one, from the transaction's own timestamp upwards, that no equal payment
   * has and that is not in `taken`. Called before the user is asked to approve. Timestamps are in Unix
   * seconds. Without this method, only the payments of this program are compared.
   */
  reserve?(payment: Reservation, taken: ReadonlySet<bigint>): Promise<bigint>;
  /** Frees the timestamp of a transaction that was not signed. */
  release?(payment: Reservation): Promise<void>;
}

/**
 * A journal of the caller that is given copies, so that it cannot modify the payment that is being sent. Each
 * of its failures is a rejection, also that of a method that throws.
 */
export function guardJournal(journal: PaymentJournal): PaymentJournal {
  return {
    signed: async payment => journal.signed(copyOf(payment)),
    ended: async (hash, end) => journal.ended(copyOf(hash), end),
    pending: async () => journal.pending(),
    ...(journal.takeOver && { takeOver: async payment => journal.takeOver!(copyOf(payment)) }),
    ...(journal.hold && { hold: async hash => journal.hold!(copyOf(hash)) }),
    ...(journal.reserve && {
      reserve: async (payment, taken) => {
        const timestamp: unknown = await journal.reserve!(copyOf(payment), new Set(taken));
        if (typeof timestamp === 'bigint') return timestamp;
        throw invalidInputError('reserve() must return a bigint of Unix seconds');
      },
    }),
    ...(journal.release && { release: async payment => journal.release!(copyOf(payment)) }),
  };
}

/** Whether the outcome is final, so that nothing is left to look up. */
export function isSettled(end: PaymentEnd): boolean {
  return end === 'confirmed' || end === 'expired';
}

/** The `sent` of a kept payment after an outcome. After `notSent`, another call may still have sent it. */
export function broadcastStateAfter(end: PaymentEnd, { sent }: SignedTransaction): BroadcastState {
  if (end === 'notSent') return keptBroadcastState(sent);
  return end === 'accepted' ? 'yes' : 'maybe';
}

/** The `sent` of a kept payment. It is never `no`, because another program may send the kept copy. */
export function keptBroadcastState(sent: BroadcastState): BroadcastState {
  return sent === 'yes' ? 'yes' : 'maybe';
}

/** Calls a journal for a payment with this `sent`. Any error becomes `JOURNAL_FAILED` with `facts.sent`. */
export async function callJournal<Result>(
  call: () => Promise<Result>,
  sent: BroadcastState = 'no',
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const explained = sent === 'no' ? journalErrorBeforeSending(error) : journalError(error);
    // The error for a damaged entry has the `sent` of that entry, which may belong to another payment.
    explained.facts = { ...explained.facts, sent };
    throw explained;
  }
}

/** The payments in a journal. They are checked, because the caller may have implemented the journal. */
export async function pendingOf(journal: PaymentJournal): Promise<readonly PendingPayment[]> {
  const pending: unknown = await journal.pending();
  if (!Array.isArray(pending) || !pending.every(isPayment)) {
    throw journalError(invalidInputError('pending() must return an array of signed payments'));
  }
  return pending;
}

function isPayment(entry: unknown): boolean {
  const { transactionHash, genesisHash, transaction } = Object(entry);
  const { recipient, timestamp, type, escrowHash } = Object(transaction);
  const escrow = type === APPROVAL_ESCROW ? [escrowHash] : [];
  const fields = [transactionHash, genesisHash, Object(recipient).payload, ...escrow];
  return typeof timestamp === 'bigint' && fields.every(bytes => copyBytes(bytes) !== undefined);
}

/**
 * Notes an outcome. A failure of the journal is ignored: the payment then stays in the journal, and the next
 * `resumePayments` settles it.
 */
export async function noteEnd(
  journal: PaymentJournal,
  transactionHash: Uint8Array,
  end: PaymentEnd,
): Promise<void> {
  try {
    await journal.ended(transactionHash, end);
  } catch {}
}

/**
 * The other pending payments to the same recipient, or decisions on the same escrow. Amount and sender may
 * differ, because a user whose payment failed may change them before trying again. A payment that is being
 * sent or was accepted counts, because the user does not know its outcome. An old payment counts, because
 * only `resumePayments` can find that the chain lacks it.
 */
export function findUnsettled(
  pending: readonly PendingPayment[],
  payment: Reservation & Partial<SignedTransaction>,
): readonly PendingPayment[] {
  const subject = subjectOf(payment);
  const own = payment.transactionHash && toHex(payment.transactionHash);
  return pending.filter(other => subjectOf(other) === subject && toHex(other.transactionHash) !== own);
}

/**
 * Holds the other pending payments to the recipient of `payment`. Otherwise the next `resumePayments` would
 * send them in addition to `payment`.
 */
export async function holdOthers(
  journal: PaymentJournal,
  pending: readonly PendingPayment[],
  payment: SignedTransaction,
): Promise<void> {
  for (const { transactionHash } of findUnsettled(pending, payment)) await journal.hold?.(transactionHash);
}

export function findKept(
  pending: readonly PendingPayment[],
  signed: SignedTransaction,
): PendingPayment | undefined {
  const hash = toHex(signed.transactionHash);
  return pending.find(({ transactionHash }) => toHex(transactionHash) === hash);
}

function subjectOf({ genesisHash, transaction }: Reservation): string {
  const { recipient } = transaction;
  const escrow = transaction.type === APPROVAL_ESCROW ? [transaction.escrowHash] : [];
  return [genesisHash, encodeAccount(recipient), ...escrow].map(toHex).join();
}

/**
 * The key that equal payments share: the genesis hash and the transaction's bytes with timestamp 0, in hex.
 */
export function duplicateKey({ genesisHash, transaction }: Reservation): string {
  return toHex(genesisHash) + toHex(encodeTransaction({ ...transaction, timestamp: 0n }));
}
