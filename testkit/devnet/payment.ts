import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { type Signed, signDraft, type Wallet } from '../chain/wallet.js';
import { u64 } from '../crypto/little-endian.js';
import { sha3 } from '../crypto/sha3.js';

export const FEE = 2_500_000n;
/** The amount that one request to the faucet gives: 100 coins. */
export const GRANT_ATOMS = 10_000_000_000n;
/** Id of the token HERON, which is issued after the genesis. This id is negative. */
export const HERON = sha3(Buffer.from('ZBC development network token HERON')).readBigInt64LE();
export const GENESIS = Buffer.from(DEVNET_GENESIS_HASH, 'hex');

/**
 * Signs a payment with the current time. Two payments of the same amount within a second would be the same
 * transaction.
 */
export function signPayment(from: Wallet, to: Wallet, amount: bigint): Signed {
  const draft = {
    version: 1n,
    timestamp: BigInt(Math.floor(Date.now() / 1000)),
    type: 1n,
    fee: FEE,
    sender: from.account,
    recipient: to.account,
    body: u64(amount),
    message: Buffer.alloc(0),
  };
  return signDraft(draft, from, GENESIS);
}
