import {
  type Account,
  encodeBody,
  encodeTransaction,
  fromHex,
  sign,
  signingDigest,
  type TransactionBody,
} from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';
import { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { COIN, ISSUED_TOKEN, TREASURY, TREASURY_HEX, TREASURY_KEY } from '../genesis.js';
import { readBalance, spendable } from '../ledger/ledger.js';
import { admit } from '../ledger/mempool.js';
import type { Conditions } from '../ledger/rules.js';
import type { Store } from '../store/store.js';
import type { Sum } from '../transaction/cost.js';
import { minimumFeeAtoms } from '../transaction/fees.js';
import { decodeSigned, type SignedTransaction } from '../transaction/signed-transaction.js';
import { produceBlock } from './produce.js';

/** 100 ZBC, 25 of token 1 (8 decimals), 10 of token 2 (none) and 5 of the issued one (3), in atomic units. */
export const GRANT: readonly Sum[] = [
  { tokenId: COIN, amount: 10_000_000_000n },
  { tokenId: 1n, amount: 2_500_000_000n },
  { tokenId: 2n, amount: 10n },
  { tokenId: ISSUED_TOKEN.id, amount: 5_000n },
];

export interface GrantReceipt {
  /** One transaction for each sum of `GRANT`. */
  hashes: string[];
  height: bigint;
}

/**
 * Inside `Store.write`: pays `GRANT` from the treasury in signed transactions and makes blocks until they are
 * confirmed, so that the account exists when the request is answered.
 */
export function grant(store: Store, conditions: Conditions, recipient: Account): GrantReceipt {
  const { timestamp, feeScale } = conditions;
  checkTreasury(store, feeScale);
  const hashes = GRANT.map(sum => {
    const transaction = signPayment(store, sum, recipient, conditions);
    return admit(store, conditions, transaction, 'mempool').hash;
  });
  return { hashes, height: confirmAll(store, timestamp, hashes) };
}

/** Makes one block, or more if the mempool already fills one. */
function confirmAll(store: Store, timestamp: bigint, hashes: readonly string[]): bigint {
  for (;;) {
    const { height } = produceBlock(store, timestamp);
    if (hashes.every(hash => store.transactions.get(hash)?.stage === 'confirmed')) return height;
  }
}

function checkTreasury(store: Store, feeScale: bigint): void {
  const feeAtoms = GRANT.reduce((total, sum) => total + feeOf(sum, feeScale), 0n);
  for (const { tokenId, amount } of GRANT) {
    const needed = tokenId === COIN ? amount + feeAtoms : amount;
    if (spendable(readBalance(store, TREASURY_HEX, tokenId)) < needed) {
      throw new RequestError(503, 'The faucet is empty');
    }
  }
}

/** The numbered message makes two payments within one second different transactions. */
function signPayment(
  store: Store,
  sum: Sum,
  recipient: Account,
  { timestamp, feeScale }: Conditions,
): SignedTransaction {
  const unsigned = encodeTransaction({
    ...bodyOf(sum),
    timestamp,
    sender: TREASURY,
    recipient,
    fee: feeOf(sum, feeScale),
    message: Buffer.from(`faucet ${store.next('grants')}`),
  });
  const digest = signingDigest(fromHex(store.genesisHash), unsigned);
  return decodeSigned(unsigned, sign(digest, TREASURY_KEY));
}

function bodyOf({ tokenId, amount }: Sum): TransactionBody {
  return tokenId === COIN ? { type: SEND_ZBC, amount } : { type: TRANSFER_TOKEN, tokenId, amount };
}

function feeOf(sum: Sum, feeScale: bigint): bigint {
  return minimumFeeAtoms(BigInt(encodeBody(bodyOf(sum)).length), feeScale);
}
