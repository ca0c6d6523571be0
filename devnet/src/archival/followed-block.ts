import { setImmediate } from 'node:timers/promises';
import { fromHex, MAX_U64 } from '@zbc-signer/chain';
import type { BlockRecord } from '../node/store/records.js';
import { type Broadcast, parseBroadcast } from '../node/transaction/broadcast.js';
import { readFields } from '../node/transaction/fields.js';
import { type SignedTransaction, verifyBroadcast } from '../node/transaction/signed-transaction.js';
import { FollowError } from './follow-error.js';

/** A block as another node reported it. Its hashes are not verified before `verifyTransactions`. */
export interface FollowedBlock {
  block: BlockRecord;
  broadcasts: readonly Broadcast[];
}

/** Greatest height. Heights are keys of tables, which are JavaScript numbers. */
const MAX_HEIGHT = BigInt(Number.MAX_SAFE_INTEGER);

/** Parses a block in the JSON that `viewBlock` makes; throws FollowError. */
export function parseFollowedBlock(json: unknown): FollowedBlock {
  try {
    const fields = readFields(json, 'block');
    const transactions = listOf(json, 'transactions');
    return {
      block: {
        height: fields.integer('height', MAX_HEIGHT),
        hash: parseHash(fields.string('block_hash')),
        previousHash: parseHash(fields.string('previous_block_hash')),
        timestamp: fields.integer('timestamp', MAX_U64),
        transactions: transactions.map(each => parseHash(readFields(each, '').string('transaction_hash'))),
        expired: listOf(json, 'expired_escrows').map(parseHash),
      },
      broadcasts: transactions.map(parseBroadcast),
    };
  } catch {
    throw new FollowError('the followed node sent a malformed block');
  }
}

function listOf(json: unknown, name: string): unknown[] {
  const list: unknown = Reflect.get(Object(json), name);
  if (!Array.isArray(list)) throw new FollowError(`${name} is not a list`);
  return list;
}

export function parseHash(text: unknown): string {
  if (typeof text !== 'string' || !/^[0-9a-f]{64}$/i.test(text)) {
    throw new FollowError('a hash is not 64 hex digits');
  }
  return text.toLowerCase();
}

/**
 * Verifies the signature of each transaction for the chain of this genesis hash (hex), and the hash of each
 * transaction. Lets other work run after each one. Throws FollowError.
 */
export async function verifyTransactions(
  { block, broadcasts }: FollowedBlock,
  genesisHash: string,
): Promise<SignedTransaction[]> {
  const genesis = fromHex(genesisHash);
  const transactions: SignedTransaction[] = [];
  for (const [at, broadcast] of broadcasts.entries()) {
    const transaction = verifySigned(genesis, broadcast);
    if (transaction === undefined) {
      throw new FollowError(`transaction ${at + 1} of block ${block.height} has no valid signature`);
    }
    if (transaction.hash !== block.transactions[at]) {
      throw new FollowError(`transaction ${at + 1} of block ${block.height} does not match its hash`);
    }
    transactions.push(transaction);
    await setImmediate();
  }
  return transactions;
}

function verifySigned(genesis: Uint8Array, broadcast: Broadcast): SignedTransaction | undefined {
  try {
    return verifyBroadcast(genesis, broadcast);
  } catch {
    return undefined;
  }
}
