import { encodeAccount, encodeTransaction, invalidInputError, type Sent, toHex } from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { copyBytes } from '../../bytes.js';
import { journalError, unsentJournalError } from '../errors.js';
import type { SignedTransaction } from '../prepared.js';

/**
 * The outcome of a signed payment. `confirmed` and `expired` (the chain lacks it and no longer accepts it)
 * settle it. `accepted` (a node has it) and `unknown` leave it pending. `notSent` concerns only one call, of
 * which no byte has left this host: others may have sent the same bytes.
 */
export type PaymentEnd = 'confirmed' | 'accepted' | 'notSent' | 'expired' | 'unknown';

/** A signed payment whose outcome on the chain is not known. */
export interface PendingPayment extends SignedTransaction {
  /** Whether a running program is sending it. Default: false. */
  isInFlight?: boolean | undefined;
  /** Whether `resumePayments` only looks it up, without sending it: see `hold`. Default: false. */
  isHeld?: boolean | undefined;
}

/** A transaction about to be signed. Equal ones differ only in their timestamp. */
export type Reservation = Pick<SignedTransaction, 'genesisHash' | 'transaction'>;

/**
 * Keeps payments from the signature until their outcome is known, so that a killed program neither loses one
 * nor pays one twice. `resumePayments` settles those left in a journal.
 */
export interface PaymentJournal {
  /**
   * Keeps a signed payment under its hash, replacing an earlier entry. Its `sent` becomes `maybe`, unless it
   * was `yes`. It is awaited before the first byte of the payment leaves; if it rejects, nothing is sent.
   */
  signed(payment: SignedTransaction): Promise<void>;
  /**
   * Like `signed`, for a payment that was found in this journal: atomically returns false without keeping it
   * if another program has meanwhile settled or withdrawn it. Default: `signed`, and a program that withdraws
   * it at that moment reports that it was not sent.
   */
  takeOver?(payment: SignedTransaction): Promise<boolean>;
  /**
   * Notes the outcome of a payment by its 32-byte hash: a settled one is forgotten; for a kept one, `sent` is
   * `yes` after `accepted`, and `maybe` after `unknown`. After `notSent` it is forgotten only once every call
   * of `signed` for it has ended so.
   */
  ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void>;
  /** The unsettled payments. */
  pending(): Promise<readonly PendingPayment[]>;
  /**
   * Marks a kept payment, by its 32-byte hash, to be looked up and no longer sent by `resumePayments`:
   * another payment to its recipient was made, or is about to be. Default: it is sent once the other is
   * settled, and both may be paid.
   */
  hold?(transactionHash: Uint8Array): Promise<void>;
  /**
   * Reserves the first timestamp in Unix seconds, starting at the transaction's, that no equal payment has
   * and that is not in `taken`. Called before the user is asked. Default: only this program's payments count.
   */
  reserve?(payment: Reservation, taken: ReadonlySet<bigint>): Promise<bigint>;
  /** Frees the timestamp of a transaction that was not signed. */
  release?(payment: Reservation): Promise<void>;
}

/** Whether the outcome is final, so that nothing is left to look up. */
export function isSettled(end: PaymentEnd): boolean {
  return end === 'confirmed' || end === 'expired';
}

/** The `sent` of a kept payment after an outcome; `notSent` of one call says nothing about others. */
export function sentAfter(end: PaymentEnd, { sent }: SignedTransaction): Sent {
  if (end === 'notSent') return keptSent(sent);
  return end === 'accepted' ? 'yes' : 'maybe';
}

/** The `sent` of a kept payment: copies of it may be sent. */
export function keptSent(sent: Sent): Sent {
  return sent === 'yes' ? 'yes' : 'maybe';
}

/** Calls a journal for a payment with this `sent`; any error becomes `JOURNAL_FAILED`. */
export async function callJournal<Result>(call: () => Promise<Result>, sent: Sent = 'no'): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const explained = sent === 'no' ? unsentJournalError(error) : journalError(error);
    // A damaged entry is another payment, which may have been sent.
    explained.facts = { ...explained.facts, sent };
    throw explained;
  }
}

/** The payments in a journal, which may be another implementation. */
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

/** Notes an outcome. If the journal fails, the payment is kept, and the next `resumePayments` settles it. */
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
 * The other pending payments to the same recipient, or about the same escrow, with any amount and sender: a
 * user who is told that a payment failed may change those. A payment that is being sent or was accepted
 * counts, because the user does not know its outcome. Age does not matter: only `resumePayments` can find
 * that the chain lacks it.
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
 * Holds the other pending payments to a recipient that is about to be paid, or was: otherwise a resume would
 * send them too.
 */
export async function holdOthers(
  journal: PaymentJournal,
  pending: readonly PendingPayment[],
  payment: SignedTransaction,
): Promise<void> {
  for (const { transactionHash } of findUnsettled(pending, payment)) await journal.hold?.(transactionHash);
}

/** Finds a payment's entry by its hash. */
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

/** A key of equal payments: the chain and the bytes of the transaction without its timestamp, in hex. */
export function paymentKey({ genesisHash, transaction }: Reservation): string {
  return toHex(genesisHash) + toHex(encodeTransaction({ ...transaction, timestamp: 0n }));
}
