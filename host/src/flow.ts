import { type ConfirmOptions, confirmTransaction } from './flow/confirm.js';
import type { Draft } from './flow/draft.js';
import { readDraft, readOptions } from './flow/input.js';
import { readOwnKey } from './flow/own-key.js';
import { type PrepareOptions, prepareTransaction, SENT_BY_PROCESS } from './flow/prepare.js';
import type { PreparedTransaction, SignedTransaction, TransactionOutcome } from './flow/prepared.js';
import { type SignOptions, signTransaction } from './flow/sign.js';
import { submitTransaction } from './flow/submit.js';

/** How to send a transaction: the options of all steps. */
export interface FlowOptions extends Omit<PrepareOptions, 'publicKey'>, SignOptions, ConfirmOptions {
  /** 32 bytes; a signer with any other key is `PUBLIC_KEY_MISMATCH`. Default: any key. */
  expectedPublicKey?: Uint8Array | undefined;
}

/**
 * The sum of all steps: `prepareTransaction` with the signer's key, `signTransaction`, `submitTransaction`,
 * `confirmTransaction`. Rejects with ZbcSignerError. After the approval every error has
 * `facts.transactionHash` and `facts.sent`: `no`, `maybe` or `yes`.
 */
export async function sendTransaction(
  givenDraft: Draft,
  givenOptions: FlowOptions,
): Promise<TransactionOutcome> {
  const draft = readDraft(givenDraft);
  const options = readOptions(givenOptions, 'gateway', 'signer');
  const publicKey = await readOwnKey(options);
  const prepared = await prepareTransaction(draft, { ...options, publicKey });
  const signed = await signOrRelease(prepared, options);
  return confirmTransaction(await submitTransaction(signed, options), options);
}

/** A transaction that was not signed leaves its timestamp to the next. */
async function signOrRelease(
  prepared: PreparedTransaction,
  options: FlowOptions,
): Promise<SignedTransaction> {
  try {
    return await signTransaction(prepared, options);
  } catch (error) {
    const { sent = SENT_BY_PROCESS } = options;
    sent.release(prepared.genesisHash, prepared.transaction);
    throw error;
  }
}
