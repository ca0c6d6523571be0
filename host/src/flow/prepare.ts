import {
  type Account,
  accountFromPublicKey,
  COIN_DECIMALS,
  decodeTransaction,
  encodeAddress,
  encodeTransaction,
  type TokenDetails,
  type Transaction,
} from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { untilAborted } from '../cancellation.js';
import { elapsedMs, secondsOf } from '../clock.js';
import {
  accountsToName,
  type ContactSubject,
  checkContacts,
  copyContacts,
  type TransactionContacts,
} from '../device/contact.js';
import { expectedReview } from '../device/expected-review.js';
import { checkBroadcastable } from '../gateway/broadcast.js';
import { readChain } from './chain/chain.js';
import { chooseFee } from './chain/fee.js';
import { completeDraft, type Draft } from './draft/draft.js';
import { readEscrowed } from './draft/escrowed.js';
import { checkHoldings, type Holdings, readHoldings, recentTimestamps } from './draft/holdings.js';
import { contactsFailedError, feeInTokenError, unsettledPaymentError, zeroAmountError } from './errors.js';
import { type PrepareStep, startFlowStep } from './flow-step.js';
import { readDraft, readOptions } from './input.js';
import { callJournal, findUnsettled, pendingOf } from './journal/journal.js';
import { PROCESS_JOURNAL } from './journal/memory-journal.js';
import type { PrepareOptions } from './options.js';
import { type PreparedTransaction, withJson } from './prepared.js';
import { isTyped } from './sent.js';

/** Atomic units: 0.1 coins. */
export const DEFAULT_MAX_FEE = 10n ** BigInt(COIN_DECIMALS - 1);
/** Time limit of all requests before the user is asked. */
const PREPARATION_TIMEOUT_MS = 60_000;

/**
 * Reads the chain, the balances and the fee, and makes every check that is possible before the user is asked.
 * Needs no signer. If this rejects, with a ZbcSignerError, nothing was signed.
 */
export async function prepareTransaction(
  draft: Draft,
  options: PrepareOptions,
): Promise<PreparedTransaction> {
  return prepareDraft(readDraft(draft), readOptions(options, 'gateway', 'publicKey'));
}

/** Like `prepareTransaction`, for arguments that were checked and copied already. */
export async function prepareDraft(draft: Draft, options: PrepareOptions): Promise<PreparedTransaction> {
  const { publicKey, account = 0, journal = PROCESS_JOURNAL, allowsFeeInToken = false } = options;
  if ('feeInToken' in draft && draft.feeInToken === true && !allowsFeeInToken) throw feeInTokenError();
  const started = startPreparing(options);
  const { genesisHash, height, otherGateways } = await readChain(started);
  // A gateway that did not answer is not asked again, because each question to it takes time.
  const step = { ...started, otherGateways };
  const sender = accountFromPublicKey(publicKey);
  const escrowed =
    draft.type === APPROVAL_ESCROW ? await readEscrowed(step, draft.escrowHash, sender) : undefined;
  const holdings = await readHoldings(step, draft, encodeAddress(publicKey));
  const timestamp = secondsOf(step.clock);
  const composed = await compose(step, draft, { sender, timestamp }, holdings);
  const payment = { genesisHash, transaction: composed };
  if (options.paysAgain !== true) {
    const [open] = findUnsettled(await callJournal(() => pendingOf(journal)), payment);
    if (open !== undefined) throw unsettledPaymentError(open, 'nothing was signed');
  }
  const linked = escrowed?.transaction;
  const contacts = await findContacts(options, { genesisHash, transaction: composed, linked });
  const recent = await recentTimestamps(step, composed);
  const reserved = await callJournal(() =>
    (journal.reserve ? journal : PROCESS_JOURNAL).reserve!(payment, recent),
  );
  const transaction = { ...composed, timestamp: reserved };
  const token = describeToken(holdings);
  const subject = { genesisHash, transaction, linked, token, contacts };
  return withJson({
    account,
    genesisHash,
    publicKey,
    transaction,
    ...(escrowed && { escrowed }),
    ...(token && { token }),
    ...(contacts && { contacts }),
    review: expectedReview(subject),
    height,
  });
}

/** The contacts of the accounts that the transaction names; undefined if they have none. */
async function findContacts(
  { contacts: book, signal }: PrepareOptions,
  subject: ContactSubject,
): Promise<TransactionContacts | undefined> {
  if (book === undefined) return undefined;
  const accounts = accountsToName(subject);
  const find = async (account: Account | undefined) => {
    try {
      return account && ((await untilAborted(book.find(account), signal)) ?? undefined);
    } catch (error) {
      throw isTyped(error) ? error : contactsFailedError(error);
    }
  };
  const [recipient, approver] = await Promise.all([find(accounts.recipient), find(accounts.approver)]);
  const contacts = copyContacts({ recipient, approver });
  if (contacts !== undefined) checkContacts(contacts, subject);
  return contacts;
}

function startPreparing(options: PrepareOptions): PrepareStep {
  const { gateway, otherGateways = [], expectedGenesisHash, maxFee = DEFAULT_MAX_FEE } = options;
  const { allowsZeroAmount = false } = options;
  const step = startFlowStep(options);
  const deadlineMs = elapsedMs(step.clock) + PREPARATION_TIMEOUT_MS;
  return { ...step, deadlineMs, gateway, otherGateways, expectedGenesisHash, maxFee, allowsZeroAmount };
}

async function compose(
  step: PrepareStep,
  draft: Draft,
  base: Pick<Transaction, 'sender' | 'timestamp'>,
  holdings: Holdings,
): Promise<Transaction> {
  const withoutFee = completeDraft(draft, { ...base, fee: 0n });
  if (!step.allowsZeroAmount && withoutFee.type !== APPROVAL_ESCROW && withoutFee.amount === 0n) {
    throw zeroAmountError();
  }
  const fee = await chooseFee(step, withoutFee, draft.fee);
  const composed = completeDraft(draft, { ...base, fee });
  checkHoldings(composed, holdings);
  checkBroadcastable(composed);
  // This throws if a signer would refuse the transaction.
  decodeTransaction(encodeTransaction(composed), base.sender);
  return composed;
}

/** The token details that the device may show as reported by the app. */
function describeToken({ token }: Holdings): TokenDetails | undefined {
  if (token === undefined) return undefined;
  const { decimals, symbol } = token;
  return { decimals, ...(symbol !== undefined && { symbol }) };
}
