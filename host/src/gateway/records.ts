import { toHex } from '../../../chain/src/index.js';
import { HASH, MAX_TOKEN_DECIMALS } from '../../../protocol/limits.js';
import { type Answer, readList } from './answer.js';
import { GatewayAnswerError } from './errors.js';

/** `signingVersion` and `signingTag` are missing on nodes older than the rules that this project signs by. */
export interface NodeInfo {
  genesisHash: Uint8Array;
  signingVersion?: bigint;
  signingTag?: string;
  height: bigint;
}

/** Atomic units. */
export interface Balance {
  balance: bigint;
  spendable: bigint;
}

/** Text is cleaned of what could deceive a reader, and still only what somebody claims. */
export interface Token {
  id: bigint;
  decimals: number;
  supply?: bigint;
  name?: string;
  symbol?: string;
}

export type TokenBalance = Token & Balance;

/** `minimumFee` in atomic units. */
export interface FeeEstimate {
  minimumFee: bigint;
}

/** `transactionHash` is lower hex; `duplicate` means that the node already had the transaction. */
export interface BroadcastReceipt {
  transactionHash: string;
  duplicate: boolean;
}

/** `staging`, `mempool` or `confirmed`; a stage that interface.md does not list is passed on, cleaned. */
export interface TransactionStatus {
  stage: string;
  blockHeight?: bigint;
  mempoolPosition?: bigint;
}

export interface BlockchainStatus {
  height: bigint;
  confirmedHeight?: bigint;
}

export function readNodeInfo(answer: Answer): NodeInfo {
  return {
    genesisHash: answer.hex('genesis_hash', HASH),
    height: answer.amount('height'),
    ...(answer.has('signing_version') && { signingVersion: answer.integer('signing_version') }),
    ...(answer.has('signing_tag') && { signingTag: answer.text('signing_tag') }),
  };
}

export function readBalance(answer: Answer): Balance {
  return { balance: answer.amount('balance'), spendable: answer.amount('spendable_balance') };
}

export function readToken(answer: Answer): Token {
  const decimals = answer.count('decimals');
  if (decimals > MAX_TOKEN_DECIMALS) {
    throw new GatewayAnswerError(answer.route, `decimals is ${decimals}, more than ${MAX_TOKEN_DECIMALS}`);
  }
  return {
    id: answer.integer('token_id'),
    decimals,
    ...(answer.has('supply') && { supply: answer.amount('supply') }),
    ...(answer.has('name') && { name: answer.text('name') }),
    ...(answer.has('symbol') && { symbol: answer.text('symbol') }),
  };
}

export function readTokens(route: string, json: unknown): Token[] {
  return readList(route, json, 'tokens').map(readToken);
}

export function readTokenBalances(route: string, json: unknown): TokenBalance[] {
  return readList(route, json, 'tokens').map(answer => ({ ...readToken(answer), ...readBalance(answer) }));
}

export function readFeeEstimate(answer: Answer): FeeEstimate {
  return { minimumFee: answer.amount('minimum_fee') };
}

export function readReceipt(answer: Answer): BroadcastReceipt {
  if (answer.text('status') !== 'success') {
    throw new GatewayAnswerError(answer.route, 'status is not success');
  }
  return {
    transactionHash: toHex(answer.hex('transaction_hash', HASH)),
    duplicate: answer.has('duplicate') && answer.flag('duplicate'),
  };
}

/** Of the 32-byte lower hex hash that was asked for; an answer about another one is not taken. */
export function readStatus(answer: Answer, hash: string): TransactionStatus {
  if (answer.has('transaction_hash') && toHex(answer.hex('transaction_hash', HASH)) !== hash) {
    throw new GatewayAnswerError(answer.route, 'it is about another transaction');
  }
  return {
    stage: answer.text('status'),
    ...(answer.has('block_height') && { blockHeight: answer.amount('block_height') }),
    ...(answer.has('mempool_position') && { mempoolPosition: answer.amount('mempool_position') }),
  };
}

export function readBlockchainStatus(answer: Answer): BlockchainStatus {
  return {
    height: answer.amount('height'),
    ...(answer.has('confirmed_height') && { confirmedHeight: answer.amount('confirmed_height') }),
  };
}
