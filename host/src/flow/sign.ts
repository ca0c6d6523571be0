import { encodeAddress, encodeTransaction, signingDigest, toHex, transactionId } from '@zbc-signer/chain';
import { throwIfAborted } from '../cancellation.js';
import { secondsAhead, WINDOW_SECONDS } from '../clock.js';
import { NonceError } from '../device/committed-nonce.js';
import { planSigning } from '../device/committed-signing.js';
import { expectedReview } from '../device/expected-review.js';
import { checkPublicKey, checkSigned } from '../device/signed-transaction.js';
import { notSupportedError } from '../device/status-errors.js';
import { addressMismatchError, signerFailedError } from '../errors.js';
import {
  feeInTokenError,
  feeTooHighError,
  feeTooLowError,
  transactionExpiredError,
  transactionPostdatedError,
  wrongChainError,
} from './errors.js';
import { type FlowStep, startFlowStep } from './flow-step.js';
import { readOptions } from './input.js';
import type { FlowLimits, FlowOptions, SignOptions } from './options.js';
import { DEFAULT_MAX_FEE } from './prepare.js';
import { copyOf, type PreparedTransaction, type SignedTransaction, withJson } from './prepared.js';
import { isTyped, noteUnsubmitted } from './sent.js';
import { copyPrepared } from './transaction-copy.js';

/**
 * Checks the prepared transaction again, has the signer sign it, and verifies the result. Needs no gateway. Without
 * `record`, `antiExfil` is `off` by default: then the same document always gives the same transaction hash.
 * Rejects with ZbcSignerError: `INVALID_INPUT`, `FEE_IN_TOKEN`, `TRANSACTION_EXPIRED`, `TRANSACTION_POSTDATED`,
 * `FEE_TOO_LOW`, `FEE_TOO_HIGH`, `WRONG_CHAIN`, `INVALID_TRANSACTION`, `PUBLIC_KEY_MISMATCH`, or the signer's
 * error, such as those of docs/WALLET.md#signatures-without-hidden-data; in these cases nothing was sent.
 */
export async function signTransaction(
  prepared: PreparedTransaction,
  options: SignOptions,
): Promise<SignedTransaction> {
  const given = readOptions(options, 'signer');
  const antiExfil = given.antiExfil ?? (given.record ? 'prefer' : 'off');
  return signPrepared(copyPrepared(prepared), { ...given, antiExfil }, false);
}

/**
 * The signer's public key. Checks that it is the expected key, and that the signer's address belongs to it.
 */
export async function readOwnKey(
  options: Pick<FlowOptions, 'signer' | 'account' | 'expectedPublicKey' | 'signal'>,
): Promise<Uint8Array> {
  const { signer, account = 0, expectedPublicKey, signal } = options;
  throwIfAborted(signal);
  const { publicKey, address } = await askSigner(signal, () => signer.getPublicKey(account, { signal }));
  if (expectedPublicKey !== undefined) checkPublicKey(publicKey, expectedPublicKey);
  if (address !== encodeAddress(publicKey)) throw addressMismatchError();
  return publicKey;
}

/** Like `signTransaction`, for arguments that were checked and copied already. `hasKey`: the signer gave this key. */
export async function signPrepared(
  prepared: PreparedTransaction,
  options: SignOptions,
  hasKey: boolean,
): Promise<SignedTransaction> {
  const step = startFlowStep(options);
  const { account, genesisHash, publicKey, transaction, escrowed, token, contacts } = prepared;
  checkPrepared(step, prepared, options);
  const unsigned = encodeTransaction(transaction);
  const { antiExfil = 'prefer', record, allowsWithheld } = options;
  const signing = { antiExfil, record, allowsWithheld };
  const subject = { publicKey, message: signingDigest(genesisHash, unsigned), isTransaction: true };
  // Nobody is told to look at a device that will show nothing.
  const { isRequired } = await planSigning(subject, signing);
  if (!hasKey) await readOwnKey({ ...options, account, expectedPublicKey: publicKey });
  const review = expectedReview({ genesisHash, transaction, linked: escrowed?.transaction, token, contacts });
  step.report({ step: 'review', items: review, transaction });
  throwIfAborted(options.signal);
  const request = {
    account,
    genesisHash,
    transaction: unsigned,
    expectedPublicKey: publicKey,
    linked: escrowed?.bytes,
    token,
    contacts,
  };
  const { signature, transactionHash, ...others } = await askSigner(options.signal, () =>
    options.signer.signTransaction(copyOf(request), { ...step.request, ...signing }),
  );
  checkSigned({ signature, transactionHash }, { genesisHash, unsigned, publicKey });
  if (others.antiExfil === undefined && (antiExfil === 'require' || isRequired))
    throw notSupportedError('anti-exfil', 'unknown');
  step.report({ step: 'signed', transactionHash, antiExfil: others.antiExfil });
  const id = transactionId(transactionHash);
  const signed: SignedTransaction = withJson({
    ...prepared,
    review,
    signature: Uint8Array.from(signature),
    transactionHash: Uint8Array.from(transactionHash),
    transactionId: id,
    sent: 'no',
  });
  noteUnsubmitted(signed);
  return signed;
}

/**
 * Calls a signer, which the caller may have implemented. After an abort, any error but one with evidence becomes an
 * AbortedError. An error that is not a ZbcSignerError becomes `TRANSPORT_FAILED`. A missing answer becomes an empty
 * object.
 */
async function askSigner<Answer extends object>(
  signal: AbortSignal | undefined,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return Object(await ask());
  } catch (error) {
    if (!(error instanceof NonceError)) throwIfAborted(signal);
    throw isTyped(error) ? error : signerFailedError(error);
  }
}

function checkPrepared(
  { clock }: FlowStep,
  { genesisHash, transaction }: PreparedTransaction,
  { expectedGenesisHash, maxFee = DEFAULT_MAX_FEE, allowsFeeInToken = false }: FlowLimits,
): void {
  if ('feeInToken' in transaction && transaction.feeInToken === true && !allowsFeeInToken)
    throw feeInTokenError();
  if (transaction.fee === 0n) throw feeTooLowError(0n);
  if (transaction.fee > maxFee) throw feeTooHighError(transaction.fee, maxFee);
  if (expectedGenesisHash !== undefined && toHex(expectedGenesisHash) !== toHex(genesisHash)) {
    throw wrongChainError(toHex(genesisHash), toHex(expectedGenesisHash));
  }
  const { timestamp } = transaction;
  const ahead = secondsAhead(clock, timestamp);
  if (ahead < -WINDOW_SECONDS) throw transactionExpiredError(timestamp);
  if (ahead > WINDOW_SECONDS) throw transactionPostdatedError(timestamp);
}
