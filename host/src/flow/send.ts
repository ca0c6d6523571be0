import { confirmSubmitted } from './confirm.js';
import type { Draft } from './draft/draft.js';
import { deadlineOf } from './flow-step.js';
import { readDraft, readLaterOptions, readOptions } from './input.js';
import { PROCESS_JOURNAL } from './journal/memory-journal.js';
import type { ConfirmOptions, FlowOptions, SubmitOptions } from './options.js';
import { prepareDraft } from './prepare.js';
import type { PreparedTransaction, SignedTransaction, TransactionOutcome } from './prepared.js';
import { readOwnKey, signPrepared } from './sign.js';
import { readSigned, type Submittable, submitSigned } from './submit.js';

/**
 * Runs all steps: `prepareTransaction` with the signer's key, `signTransaction`, `submitAndConfirm`. Rejects
 * with ZbcSignerError; `broadcastStateOf` says whether the chain may have the transaction. After the approval every
 * error has `facts.transactionHash`, `facts.sent` and, unless that is `no`, `facts.safeAfter` in Unix
 * seconds.
 */
export async function sendTransaction(
  givenDraft: Draft,
  givenOptions: FlowOptions,
): Promise<TransactionOutcome> {
  const draft = readDraft(givenDraft);
  const options = readOptions(givenOptions, 'gateway', 'signer');
  const publicKey = await readOwnKey(options);
  const prepared = await prepareDraft(draft, { ...options, publicKey });
  const signed = await signOrRelease(prepared, options);
  return submitAndConfirmSigned({ signed, sent: signed.sent }, options);
}

/** Runs `submitTransaction` and `confirmTransaction` within one `confirmationTimeoutMs`. */
export async function submitAndConfirm(
  given: SignedTransaction,
  givenOptions: SubmitOptions & ConfirmOptions,
): Promise<TransactionOutcome> {
  const options = readLaterOptions(givenOptions, given);
  return submitAndConfirmSigned(readSigned(given), options);
}

/** Like `submitAndConfirm`, for a transaction that was checked and copied already. */
async function submitAndConfirmSigned(
  submittable: Submittable,
  options: SubmitOptions & ConfirmOptions,
): Promise<TransactionOutcome> {
  const deadlineMs = deadlineOf(options);
  return confirmSubmitted(await submitSigned(submittable, options, deadlineMs), options, deadlineMs);
}

/** Signs a transaction. If that fails, releases the reserved timestamp. */
async function signOrRelease(
  prepared: PreparedTransaction,
  options: FlowOptions,
): Promise<SignedTransaction> {
  try {
    return await signPrepared(prepared, options, true);
  } catch (error) {
    const { journal = PROCESS_JOURNAL } = options;
    await (journal.release ? journal.release(prepared) : PROCESS_JOURNAL.release(prepared)).catch(() => {});
    throw error;
  }
}
