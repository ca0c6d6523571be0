import { encodeAddress } from '@zbc-signer/chain';
import { throwIfAborted } from '../cancellation.js';
import { addressMismatchError } from '../errors.js';
import { checkPublicKey } from '../signed-transaction.js';
import type { TransactionSigner } from './sign.js';

interface KeyRequest {
  signer: TransactionSigner;
  account?: number | undefined;
  expectedPublicKey?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
}

/** The signer's key, checked against the pinned one and its address. */
export async function readOwnKey(request: KeyRequest): Promise<Uint8Array> {
  const { signer, account = 0, expectedPublicKey, signal } = request;
  throwIfAborted(signal);
  const { publicKey, address } = await signer.getPublicKey(account, { signal });
  if (expectedPublicKey !== undefined) checkPublicKey(publicKey, expectedPublicKey);
  if (address !== encodeAddress(publicKey)) throw addressMismatchError();
  return publicKey;
}
