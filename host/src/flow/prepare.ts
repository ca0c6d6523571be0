import {
  accountFromPublicKey,
  COIN_DECIMALS,
  cleanSymbol,
  decodeTransaction,
  encodeAddress,
  encodeTransaction,
  type Transaction,
} from '@zbc-signer/chain';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { expectedReview } from '../expected-review.js';
import { checkBroadcastable } from '../gateway/broadcast.js';
import type { GatewayClient } from '../gateway/index.js';
import type { TokenDetails } from '../upload-header.js';
import { readChain } from './chain-identity.js';
import { completeDraft, type Draft } from './draft.js';
import { zeroAmountError } from './errors.js';
import { readEscrowed } from './escrowed.js';
import { chooseFee } from './fee.js';
import { checkHoldings, type Holdings, readHoldings } from './holdings.js';
import { readDraft, readOptions } from './input.js';
import type { PreparedTransaction } from './prepared.js';
import { recentTimestamps } from './recent.js';
import { SentTransactions } from './sent-transactions.js';
import { type GatewayStep, type StepOptions, startStep } from './step.js';

/** What limits a transaction, when it is prepared and again when it is signed. */
export interface Limits {
  /** 32 bytes; any other chain is `WRONG_CHAIN`. Default: any chain. */
  expectedGenesisHash?: Uint8Array | undefined;
  /** Atomic units; a higher fee is `FEE_TOO_HIGH`. Default: 1 coin. */
  maxFee?: bigint | undefined;
}

/** How to prepare a transaction. */
export interface PrepareOptions extends StepOptions, Limits {
  gateway: GatewayClient;
  /** 32 bytes: the sender's, as `Signer.getPublicKey` gives it. */
  publicKey: Uint8Array;
  /** Index of the sender's account on its signer. Default: 0. */
  account?: number | undefined;
  /** False for `ZERO_AMOUNT` where the amount is 0. Default: false. */
  allowsZeroAmount?: boolean | undefined;
  /** Sent transactions, to keep equal payments distinct. Default: one record for the whole program. */
  sent?: SentTransactions | undefined;
}

/** PrepareOptions with defaults applied. */
export interface PrepareStep extends GatewayStep {
  expectedGenesisHash: Uint8Array | undefined;
  maxFee: bigint;
  allowsZeroAmount: boolean;
}

/** Atomic units: 1 coin. */
export const DEFAULT_MAX_FEE = 10n ** BigInt(COIN_DECIMALS);
/** Of this program. */
export const SENT_BY_PROCESS = new SentTransactions();

/**
 * Reads the chain, the balances and the fee, and checks all that can be known before a user is asked. Needs
 * no signer. Rejects with ZbcSignerError; nothing was signed then.
 */
export async function prepareTransaction(
  givenDraft: Draft,
  givenOptions: PrepareOptions,
): Promise<PreparedTransaction> {
  const draft = readDraft(givenDraft);
  const options = readOptions(givenOptions, 'gateway', 'publicKey');
  const { publicKey, account = 0, sent = SENT_BY_PROCESS } = options;
  const step = startPreparing(options);
  const { genesisHash, height } = await readChain(step);
  const sender = accountFromPublicKey(publicKey);
  const escrowed =
    draft.type === APPROVAL_ESCROW ? await readEscrowed(step, draft.escrowHash, sender) : undefined;
  const holdings = await readHoldings(step, draft, encodeAddress(publicKey));
  const timestamp = BigInt(Math.floor(step.clock.now() / 1000));
  const composed = await compose(step, draft, { sender, timestamp }, holdings);
  const recent = await recentTimestamps(step, composed);
  const transaction = { ...composed, timestamp: sent.take(genesisHash, composed, recent) };
  const token = describeToken(holdings);
  const subject = { genesisHash, transaction, linked: escrowed?.transaction, token };
  return {
    account,
    genesisHash,
    publicKey,
    transaction,
    ...(escrowed && { escrowed }),
    ...(token && { token }),
    review: expectedReview(subject),
    height,
  };
}

function startPreparing(options: PrepareOptions): PrepareStep {
  const { gateway, expectedGenesisHash, maxFee = DEFAULT_MAX_FEE, allowsZeroAmount = false } = options;
  return { ...startStep(options), gateway, expectedGenesisHash, maxFee, allowsZeroAmount };
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
  const transaction = completeDraft(draft, { ...base, fee });
  checkHoldings(transaction, holdings);
  checkBroadcastable(transaction);
  // Throws for all that a signer refuses.
  decodeTransaction(encodeTransaction(transaction), base.sender);
  return transaction;
}

/** The token details that the device may show as reported by the app. */
function describeToken({ token }: Holdings): TokenDetails | undefined {
  if (token === undefined) return undefined;
  const symbol = cleanSymbol(token.symbol);
  return { decimals: token.decimals, ...(symbol !== undefined && { symbol }) };
}
