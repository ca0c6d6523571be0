import { type Account, encodeAccount, sign, signingDigest, toHex } from '../../../chain/src/index.js';
import { SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/transaction-types.js';
import { RequestError } from '../errors.js';
import type { Broadcast } from './broadcast.js';
import { i64, u64 } from './bytes.js';
import type { Sum } from './cost.js';
import { encodeEnvelope } from './envelope.js';
import { minimumFeeAtoms } from './fees.js';
import { COIN, GENESIS_HASH, TREASURY, TREASURY_KEY } from './genesis.js';
import { readPurse, spendable } from './ledger.js';
import { admit } from './mempool.js';
import { produceBlock } from './produce.js';
import type { Store } from './store.js';

/** 100 ZBC, 25 of token 1 (8 decimals) and 10 of token 2 (none), in atomic units. */
export const GRANT: readonly Sum[] = [
  { tokenId: COIN, amount: 10_000_000_000n },
  { tokenId: 1n, amount: 2_500_000_000n },
  { tokenId: 2n, amount: 10n },
];

export interface GrantReceipt {
  /** Of one transaction for each sum of `GRANT`. */
  hashes: string[];
  height: bigint;
}

/**
 * Inside `Store.write`: pays `GRANT` from the treasury in signed transactions, and makes blocks until they are confirmed, so
 * that the account exists when the request is answered.
 */
export function grant(store: Store, timestamp: bigint, recipient: Account): GrantReceipt {
  checkTreasury(store);
  const hashes = GRANT.map(sum => {
    const broadcast = signPayment(sum, encodeAccount(recipient), timestamp, store.next('grants'));
    return admit(store, timestamp, broadcast, 'mempool').hash;
  });
  return { hashes, height: confirmAll(store, timestamp, hashes) };
}

/** One block, unless so much waits before the grant that a block does not hold it. */
function confirmAll(store: Store, timestamp: bigint, hashes: readonly string[]): bigint {
  for (;;) {
    const { height } = produceBlock(store, timestamp);
    if (hashes.every(hash => store.transactions.get(hash)?.stage === 'confirmed')) {
      return height;
    }
  }
}

function checkTreasury(store: Store): void {
  const treasury = toHex(TREASURY);
  const feeAtoms = GRANT.reduce((sum, { tokenId }) => sum + feeOf(tokenId), 0n);
  for (const { tokenId, amount } of GRANT) {
    const needed = tokenId === COIN ? amount + feeAtoms : amount;
    if (spendable(readPurse(store, treasury, tokenId)) < needed) {
      throw new RequestError(503, 'The faucet is empty');
    }
  }
}

/** The message numbers the payments: two within one second would otherwise be the same transaction. */
function signPayment({ tokenId, amount }: Sum, recipient: Uint8Array, timestamp: bigint, number: bigint) {
  const unsigned: Broadcast = {
    version: 1n,
    timestamp,
    type: BigInt(tokenId === COIN ? SEND_ZBC : TRANSFER_TOKEN),
    fee: feeOf(tokenId),
    sender: TREASURY,
    recipient,
    body: bodyOf(tokenId, amount),
    signature: new Uint8Array(0),
    message: Buffer.from(`faucet ${number}`),
  };
  return {
    ...unsigned,
    signature: sign(signingDigest(GENESIS_HASH, encodeEnvelope(unsigned)), TREASURY_KEY),
  };
}

function bodyOf(tokenId: bigint, amount: bigint): Uint8Array {
  return tokenId === COIN ? u64(amount) : Buffer.concat([i64(tokenId), i64(amount)]);
}

function feeOf(tokenId: bigint): bigint {
  return minimumFeeAtoms(BigInt(bodyOf(tokenId, 0n).length));
}
