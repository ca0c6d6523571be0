import { toHex, transactionHash, ZbcSignerError } from '@zbc-signer/chain';
import { SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import type { Answer } from '../answer.js';
import { GatewayMalformedError } from '../errors.js';
import { encodeFields } from '../stored-transaction.js';
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
  /** Whether its hash is that of its fields; also false for a type that a signer does not know. */
  isVerified: boolean;
}

/**
 * A block with its transactions. `expired` has the hashes of the transactions whose escrows expired with the
 * block; undefined if the node does not report them.
 */
export interface Block extends BlockHeader {
  transactions: BlockTransaction[];
  expired?: Uint8Array[] | undefined;
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
  const header = readBlockHeader(answer);
  const transactions = answer.list('transactions').map(readBlockTransaction);
  if ((header.transactionCount ?? transactions.length) !== transactions.length) {
    throw new GatewayMalformedError(answer.route, 'transaction_count is not the number of transactions');
  }
  return {
    ...header,
    transactions,
    expired: answer.has('expired_escrows') ? answer.hashes('expired_escrows') : undefined,
  };
}

export function readBlockTransaction(answer: Answer): BlockTransaction {
  const transaction = readListedTransaction(answer);
  return { ...transaction, isVerified: toHex(hashOfFields(answer)) === toHex(transaction.hash) };
}

/** The hash of the fields; empty if they are not those of a transaction that a signer knows. */
function hashOfFields(answer: Answer): Uint8Array {
  try {
    return transactionHash(encodeFields(answer), answer.hex('signature', SIGNATURE_LENGTH));
  } catch (error) {
    if (error instanceof ZbcSignerError) return new Uint8Array(0);
    throw error;
  }
}
