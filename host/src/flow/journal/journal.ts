import { encodeAccount, encodeTransaction, invalidInputError, type Sent, toHex } from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { copyBytes } from '../../bytes.js';
import { journalError, unsentJournalError } from '../errors.js';
import type { SignedTransaction } from '../prepared.js';

/**
 * What became of a payment that was signed. `confirmed` and `expired` (the chain does not have it and takes it
 * no more) settle it. `accepted` (a node has it) and `unknown` leave it pending. `notSent` is of one call alone,
 * of which no byte has left this host: others may have sent the same bytes.
 */
export type PaymentEnd = 'confirmed' | 'accepted' | 'notSent' | 'expired' | 'unknown';

/** A payment that was signed, and of which the chain has not been seen to decide. */
export interface PendingPayment extends SignedTransaction {
  /** A program that still runs is sending it. Default: false. */
  isInFlight?: boolean | undefined;
  /** It is looked up, and not sent by `resumePayments`: see `hold`. Default: false. */
  isHeld?: boolean | undefined;
}

/** A transaction that is about to be signed. Equal ones differ in nothing but their timestamp. */
export type Reservation = Pick<SignedTransaction, 'genesisHash' | 'transaction'>;

/**
 * Where payments are kept from the signature until the chain has decided about them, so that a program that
 * is killed loses none and pays none twice. `resumePayments` settles what a journal has left.
 */
export interface PaymentJournal {
  /**
   * Keeps a signed payment, under its hash; one that is kept already is replaced. Its `sent` is `maybe` from
   * now on, or `yes` if it was. It is awaited before the first byte of the payment leaves; if it rejects,
   * nothing is sent.
   */
  signed(payment: SignedTransaction): Promise<void>;
  /**
   * As `signed`, of a payment that was found here, in one step: false, and it is not kept, if whoever kept it has
   * settled it or taken it back meanwhile. Default: `signed`, and who took it back in that moment says that it was
   * not sent.
   */
  takeOver?(payment: SignedTransaction): Promise<boolean>;
  /**
   * Notes what became of a payment, by its hash of 32 bytes: forgets what is settled; what is kept is `yes` if it
   * was `accepted`, and `maybe` if it is `unknown`. One that ended `notSent` is forgotten only if `signed` was
   * called for it no more often than this.
   */
  ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void>;
  /** The payments that are not settled. */
  pending(): Promise<readonly PendingPayment[]>;
  /**
   * Notes that a payment that is kept, by its hash of 32 bytes, is looked up from now on, and not sent by
   * `resumePayments`: another payment to its recipient was made, or is about to be in spite of it. Default: it is
   * sent once the other is settled, and both may be paid.
   */
  hold?(transactionHash: Uint8Array): Promise<void>;
  /**
   * Takes the first timestamp in Unix seconds, from that of the transaction on, that no equal payment has;
   * `taken` are not free either. Called before the user is asked. Default: of this program's payments alone.
   */
  reserve?(payment: Reservation, taken: ReadonlySet<bigint>): Promise<bigint>;
  /** Frees the timestamp of a transaction that was not signed. */
  release?(payment: Reservation): Promise<void>;
}

/** Whether an end leaves nothing to look up. */
export function isSettled(end: PaymentEnd): boolean {
  return end === 'confirmed' || end === 'expired';
}

/** What is known of a kept payment after an end; what another call has not sent says nothing of it. */
export function sentAfter(end: PaymentEnd, { sent }: SignedTransaction): Sent {
  if (end === 'notSent') return keptSent(sent);
  return end === 'accepted' ? 'yes' : 'maybe';
}

/** What is known of a payment that is kept: copies of it may be sent. */
export function keptSent(sent: Sent): Sent {
  return sent === 'yes' ? 'yes' : 'maybe';
}

/** Calls a journal about a payment of which so much was sent; what it throws becomes `JOURNAL_FAILED`. */
export async function callJournal<Result>(call: () => Promise<Result>, sent: Sent = 'no'): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const explained = sent === 'no' ? unsentJournalError(error) : journalError(error);
    // What is damaged may have been sent, and is another payment.
    explained.facts = { ...explained.facts, sent };
    throw explained;
  }
}

/** What a journal keeps, which may be anybody's. */
export async function pendingOf(journal: PaymentJournal): Promise<readonly PendingPayment[]> {
  const pending: unknown = await journal.pending();
  if (!Array.isArray(pending) || !pending.every(isPayment)) {
    throw journalError(invalidInputError('pending() must give an array of signed payments'));
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

/** Notes an end. A journal that fails here keeps a payment that the next `resumePayments` settles. */
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
 * The other pending payments to the same recipient, or about the same escrow, whatever their amount and sender:
 * who is told that a payment failed may well change those. One that is being sent counts, as does one that a
 * node has: nobody was told of its end. However old it is: that the chain does not have it is for
 * `resumePayments` to find out.
 */
export function findUnsettled(
  pending: readonly PendingPayment[],
  payment: Reservation & Partial<SignedTransaction>,
): readonly PendingPayment[] {
  const subject = subjectOf(payment);
  const own = payment.transactionHash && toHex(payment.transactionHash);
  return pending.filter(other => subjectOf(other) === subject && toHex(other.transactionHash) !== own);
}

/** Holds what else is open to a recipient that is about to be paid, or was: whoever resumes it would send it too. */
export async function holdOthers(
  journal: PaymentJournal,
  pending: readonly PendingPayment[],
  payment: SignedTransaction,
): Promise<void> {
  for (const { transactionHash } of findUnsettled(pending, payment)) await journal.hold?.(transactionHash);
}

/** The entry of a payment, by its hash. */
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

/** The bytes of a transaction but for its timestamp, with its chain, in hex: equal payments have one key. */
export function paymentKey({ genesisHash, transaction }: Reservation): string {
  return toHex(genesisHash) + toHex(encodeTransaction({ ...transaction, timestamp: 0n }));
}
