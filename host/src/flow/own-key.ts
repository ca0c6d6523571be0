import { encodeAddress } from '@zbc-signer/chain';
import { addressMismatchError } from '../errors.js';
import type { DevicePublicKey } from '../replies.js';
import { checkPublicKey } from '../signed-transaction.js';
import type { Run } from './run.js';

/** The signer's key, checked against the pinned one and its address. */
export async function readOwnKey(run: Run): Promise<DevicePublicKey> {
  const own = await run.signer.getPublicKey(run.account, run.request);
  if (run.expectedPublicKey !== undefined) checkPublicKey(own.publicKey, run.expectedPublicKey);
  if (own.address !== encodeAddress(own.publicKey)) throw addressMismatchError();
  return own;
}
