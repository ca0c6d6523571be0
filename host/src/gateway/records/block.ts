import type { Answer } from '../answer.js';
import { type ListedTransaction, readListedTransaction } from './transaction.js';

/** Hashes are 32 bytes, `timestamp` in Unix seconds. */
export interface BlockHeader {
  height: bigint;
  hash?: Uint8Array | undefined;
  previousHash?: Uint8Array | undefined;
  timestamp?: bigint | undefined;
  transactionCount?: number | undefined;
}

/** A block with its transactions. */
export interface Block extends BlockHeader {
  transactions: ListedTransaction[];
}

export function readBlockHeader(answer: Answer): BlockHeader {
  return {
    height: answer.amount('height'),
    hash: answer.optional('block_hash', 'hash'),
    previousHash: answer.optional('previous_block_hash', 'hash'),
    timestamp: answer.optional('timestamp', 'amount'),
    transactionCount: answer.optional('transaction_count', 'count'),
  };
}

export function readBlock(answer: Answer): Block {
  return { ...readBlockHeader(answer), transactions: answer.list('transactions').map(readListedTransaction) };
}
