import { toHex, transactionHash, ZbcSignerError } from '@zbc-signer/chain';
import type { Answer } from '../answer.js';
import { readStoredTransaction } from '../stored-transaction.js';
import { type ListedTransaction, readListedTransaction } from './transaction.js';

/** The header of a block. Hashes are 32 bytes, `timestamp` is in Unix seconds. */
export interface BlockHeader {
  height: bigint;
  hash?: Uint8Array | undefined;
  previousHash?: Uint8Array | undefined;
  timestamp?: bigint | undefined;
  transactionCount?: number | undefined;
}

/** A transaction of a block. */
export interface BlockTransaction extends ListedTransaction {
  /** Whether its hash matches its fields; also false for a type that a signer does not know. */
  isVerified: boolean;
}

/** A block with its transactions. */
export interface Block extends BlockHeader {
  transactions: BlockTransaction[];
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
  return { ...readBlockHeader(answer), transactions: answer.list('transactions').map(readBlockTransaction) };
}

function readBlockTransaction(answer: Answer): BlockTransaction {
  const transaction = readListedTransaction(answer);
  return { ...transaction, isVerified: toHex(hashOfFields(answer)) === toHex(transaction.hash) };
}

/** The hash of the fields; empty if they are not those of a payment. */
function hashOfFields(answer: Answer): Uint8Array {
  try {
    const { unsigned, signature } = readStoredTransaction(answer);
    return transactionHash(unsigned, signature);
  } catch (error) {
    if (error instanceof ZbcSignerError) return new Uint8Array(0);
    throw error;
  }
}
