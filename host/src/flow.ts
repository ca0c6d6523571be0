import {
  AbortedError,
  accountFromPublicKey,
  type Transaction,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { throwIfAborted } from './cancellation.js';
import { readChain } from './flow/chain-identity.js';
import { awaitConfirmation } from './flow/confirmation.js';
import { completeDraft, type Draft } from './flow/draft.js';
import { submissionInterruptedError, zeroAmountError } from './flow/errors.js';
import { readEscrowed } from './flow/escrowed.js';
import { chooseFee } from './flow/fee.js';
import { awaitHeight } from './flow/height.js';
import { checkHoldings, type Holdings, readHoldings } from './flow/holdings.js';
import { readOwnKey } from './flow/own-key.js';
import { recentTimestamps } from './flow/recent.js';
import { type FlowOptions, type Run, startRun } from './flow/run.js';
import type { TakenTimestamp } from './flow/sent-transactions.js';
import { describeToken, type SignedTransfer, type SigningRequest, signTransaction } from './flow/sign.js';
import { type Submission, submitTransaction } from './flow/submit.js';
import { checkBroadcastable } from './gateway/broadcast.js';
import type { DevicePublicKey } from './replies.js';

/** The outcome of a transaction; hashes in lower-case hex, the id signed. */
export interface FlowResult {
  transaction: Transaction;
  signature: Uint8Array;
  transactionHash: string;
  transactionId: bigint;
  genesisHash: string;
  /** `staging`, `mempool` or `confirmed`, or `submitted` if the node reported none and there was no wait. */
  status: string;
  blockHeight?: bigint;
  /** The node had the transaction already, from an earlier attempt of this call. */
  duplicate: boolean;
}

/**
 * Runs the whole sequence: node information, balances and decimals, fee, bytes, signature, broadcast,
 * comparison of hashes, confirmation. Throws a ZbcSignerError. After the approval every
 * error has `facts.transactionHash` and `facts.sent`: `no`, `maybe` or `yes`.
 */
export async function sendTransaction(draft: Draft, options: FlowOptions): Promise<FlowResult> {
  const run = startRun(options);
  const { genesisHash } = await readChain(run);
  const own = await readOwnKey(run);
  const escrowed =
    draft.type === APPROVAL_ESCROW
      ? await readEscrowed(run, draft.escrowHash, accountFromPublicKey(own.publicKey))
      : undefined;
  const holdings = await readHoldings(run, draft, own.address);
  const composed = await composeTransaction(run, draft, own, holdings);
  const taken = run.sent.take(genesisHash, composed, await recentTimestamps(run, composed));
  const transaction = { ...composed, timestamp: taken.timestamp };
  const request = { genesisHash, transaction, escrowed, token: describeToken(holdings) };
  const signed = await signOrRelease(run, request, own, taken);
  return { ...(await submitSigned(run, signed)), genesisHash: toHex(genesisHash) };
}

/** Throws for everything that can be checked before the user is asked. */
async function composeTransaction(
  run: Run,
  draft: Draft,
  { publicKey }: DevicePublicKey,
  holdings: Holdings,
): Promise<Transaction> {
  const facts = {
    sender: accountFromPublicKey(publicKey),
    timestamp: BigInt(Math.floor(run.clock.now() / 1000)),
    decimals: holdings.token?.decimals ?? 0,
  };
  const withoutFee = completeDraft(draft, { ...facts, fee: 0n });
  if (!run.allowsZeroAmount && withoutFee.type !== APPROVAL_ESCROW && withoutFee.amount === 0n) {
    throw zeroAmountError();
  }
  const fee = await chooseFee(run, withoutFee, draft.fee);
  const transaction = completeDraft(draft, { ...facts, fee });
  checkHoldings(transaction, holdings);
  checkBroadcastable(transaction);
  return transaction;
}

/** A transaction that was not signed leaves its timestamp to the next. */
async function signOrRelease(
  run: Run,
  request: SigningRequest,
  own: DevicePublicKey,
  taken: TakenTimestamp,
): Promise<SignedTransfer> {
  try {
    return await signTransaction(run, request, own);
  } catch (error) {
    taken.release();
    throwIfAborted(run.request.signal);
    throw error;
  }
}

async function submitSigned(run: Run, signed: SignedTransfer): Promise<Omit<FlowResult, 'genesisHash'>> {
  const submission: Submission = { sent: 'no' };
  try {
    const receipt = await submitTransaction(run, signed, submission);
    run.report({ step: 'broadcast', ...receipt });
    const { stage, blockHeight } = await awaitConfirmation(run, signed.transactionHash);
    if (blockHeight !== undefined && run.waitsForConfirmation) {
      await awaitHeight(run.gateway, blockHeight, { ...run.request, clock: run.clock });
    }
    return {
      ...signed,
      status: stage,
      ...(blockHeight !== undefined && { blockHeight }),
      duplicate: receipt.duplicate,
    };
  } catch (error) {
    throw afterApproval(error, signed.transactionHash, submission);
  }
}

function afterApproval(error: unknown, transactionHash: string, { sent }: Submission): ZbcSignerError {
  if (!(error instanceof ZbcSignerError) || error instanceof AbortedError) {
    return submissionInterruptedError(transactionHash, sent, error);
  }
  error.facts = { ...error.facts, transactionHash, sent };
  return error;
}
