import {
  accountFromPublicKey,
  decodeTransaction,
  encodeTransaction,
  toHex,
  transactionId,
} from '@zbc-signer/chain';
import { throwIfAborted } from '../cancellation.js';
import { expectedReview } from '../expected-review.js';
import { checkSigned } from '../signed-transaction.js';
import type { Signer } from '../signer.js';
import { secondsAhead, WINDOW_SECONDS } from './clock.js';
import {
  feeTooHighError,
  transactionExpiredError,
  transactionPostdatedError,
  wrongChainError,
} from './errors.js';
import { checkLimits } from './input.js';
import { DEFAULT_MAX_FEE, type Limits } from './prepare.js';
import type { PreparedTransaction, SignedTransaction } from './prepared.js';
import { type Step, type StepOptions, startStep } from './step.js';

/** A device, or anything that signs like one. */
export type TransactionSigner = Pick<Signer, 'getPublicKey' | 'signTransaction'>;

/** How to sign a prepared transaction. */
export interface SignOptions extends StepOptions, Limits {
  signer: TransactionSigner;
}

/**
 * Checks the prepared transaction again, has the signer sign it, and verifies the result. Needs no gateway.
 * Rejects with ZbcSignerError: `INVALID_INPUT`, `TRANSACTION_EXPIRED`, `TRANSACTION_POSTDATED`,
 * `FEE_TOO_HIGH`, `WRONG_CHAIN`, `INVALID_TRANSACTION`, `PUBLIC_KEY_MISMATCH`, or what the signer throws;
 * nothing was sent then.
 */
export async function signTransaction(
  prepared: PreparedTransaction,
  options: SignOptions,
): Promise<SignedTransaction> {
  checkLimits(options);
  const step = startStep(options);
  const { account, genesisHash, publicKey, transaction, escrowed, token } = prepared;
  const unsigned = encodeTransaction(transaction);
  checkPrepared(step, prepared, options, unsigned);
  const review = expectedReview({ genesisHash, transaction, linked: escrowed?.transaction, token });
  step.report({ step: 'review', items: review, transaction });
  throwIfAborted(options.signal);
  const request = {
    account,
    genesisHash,
    transaction: Uint8Array.from(unsigned),
    expectedPublicKey: publicKey,
    ...(escrowed && { linked: escrowed.bytes }),
    ...(token && { token }),
  };
  const { signature, transactionHash } = await askSigner(options, request, step);
  checkSigned({ signature, transactionHash }, { genesisHash, unsigned, publicKey });
  step.report({ step: 'signed', transactionHash });
  const id = transactionId(transactionHash);
  return { ...prepared, review, signature, transactionHash, transactionId: id, sent: 'no' };
}

type SigningRequest = Parameters<TransactionSigner['signTransaction']>[0];

/** A signer that rejects because of the signal need not know AbortedError. */
async function askSigner({ signer, signal }: SignOptions, request: SigningRequest, { request: call }: Step) {
  try {
    return await signer.signTransaction(request, call);
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}

/** It may come from a document, so that nothing is taken for granted. */
function checkPrepared(
  { clock }: Step,
  { genesisHash, publicKey, transaction }: PreparedTransaction,
  { expectedGenesisHash, maxFee = DEFAULT_MAX_FEE }: Limits,
  unsigned: Uint8Array,
): void {
  decodeTransaction(unsigned, accountFromPublicKey(publicKey));
  if (transaction.fee > maxFee) throw feeTooHighError(transaction.fee, maxFee);
  if (expectedGenesisHash !== undefined && toHex(expectedGenesisHash) !== toHex(genesisHash)) {
    throw wrongChainError(toHex(genesisHash), toHex(expectedGenesisHash));
  }
  const { timestamp } = transaction;
  const ahead = secondsAhead(clock, timestamp);
  if (ahead < -WINDOW_SECONDS) throw transactionExpiredError(timestamp);
  if (ahead > WINDOW_SECONDS) throw transactionPostdatedError(timestamp);
}
