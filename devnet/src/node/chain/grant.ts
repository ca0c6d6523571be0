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
import { minimumFeeAtoms, type TokenSum } from '../transaction/cost.js';
import { decodeSigned, type SignedTransaction } from '../transaction/signed-transaction.js';
import { produceBlock } from './produce.js';

/**
 * The amounts that the faucet pays, in atomic units: 100 ZBC, 25 of token 1 (8 decimals), 10 of token 2 (no
 * decimals), and 5 of the issued token (3 decimals).
 */
export const GRANT: readonly TokenSum[] = [
  { tokenId: COIN, amount: 10_000_000_000n },
  { tokenId: 1n, amount: 2_500_000_000n },
  { tokenId: 2n, amount: 10n },
  { tokenId: ISSUED_TOKEN.id, amount: 5_000n },
];

export interface GrantReceipt {
  /** Hashes of the transactions, one for each sum of `GRANT`. */
  hashes: string[];
  height: bigint;
}

/**
 * Pays `GRANT` from the treasury in signed transactions, and makes blocks until they are confirmed, so that
 * the account exists when the request is answered. Must be called inside `Store.write`.
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

/**
 * Makes blocks until the transactions are confirmed: one, or more if other transactions in the mempool
 * already fill a block.
 */
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

/**
 * Signs a payment. Its message contains a number, so that two payments within one second are different
 * transactions.
 */
function signPayment(
  store: Store,
  sum: TokenSum,
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

function bodyOf({ tokenId, amount }: TokenSum): TransactionBody {
  return tokenId === COIN ? { type: SEND_ZBC, amount } : { type: TRANSFER_TOKEN, tokenId, amount };
}

function feeOf(sum: TokenSum, feeScale: bigint): bigint {
  return minimumFeeAtoms(BigInt(encodeBody(bodyOf(sum)).length), feeScale);
}
