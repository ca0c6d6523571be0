import { sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { HASH, SIGNATURE } from '../../protocol/limits.js';

/** Six bytes, no terminator (interface.md "Transaction signatures"). */
export const SIGNING_TAG = 'ZBC-TX';
const TAG = new TextEncoder().encode(SIGNING_TAG);

/** The 32-byte Ed25519 message of a transaction on the chain that the 32-byte genesis hash names. */
export function signingDigest(genesisHash: Uint8Array, unsigned: Uint8Array): Uint8Array {
  checkLength('a genesis hash', genesisHash, HASH);
  return sha3_256(concatBytes(TAG, genesisHash, unsigned));
}

/** The 32-byte hash by which the chain knows a signed transaction. */
export function transactionHash(unsigned: Uint8Array, signature: Uint8Array): Uint8Array {
  checkLength('a signature', signature, SIGNATURE);
  return sha3_256(concatBytes(unsigned, signature));
}

/** The first 8 bytes of the 32-byte hash as a signed integer. */
export function transactionId(hash: Uint8Array): bigint {
  checkLength('a transaction hash', hash, HASH);
  return new DataView(hash.buffer, hash.byteOffset).getBigInt64(0, true);
}

function checkLength(what: string, bytes: Uint8Array, wanted: number): void {
  if (bytes.length !== wanted) {
    throw new RangeError(`${what} is ${wanted} bytes, not ${bytes.length}`);
  }
}
