import { sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { HASH_LENGTH, SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import { invalidInputError } from './error.js';

/** The prefix of a signing digest: six bytes, no terminator. */
export const SIGNING_TAG = 'ZBC-TX';
const TAG = new TextEncoder().encode(SIGNING_TAG);

/**
 * Returns the 32-byte digest that is signed with Ed25519, for a transaction on the chain with this 32-byte
 * genesis hash.
 */
export function signingDigest(genesisHash: Uint8Array, unsigned: Uint8Array): Uint8Array {
  checkLength('a genesis hash', genesisHash, HASH_LENGTH);
  return sha3_256(concatBytes(TAG, genesisHash, unsigned));
}

/** Returns the chain's 32-byte hash of a signed transaction. */
export function transactionHash(unsigned: Uint8Array, signature: Uint8Array): Uint8Array {
  checkLength('a signature', signature, SIGNATURE_LENGTH);
  return sha3_256(concatBytes(unsigned, signature));
}

/** Returns the first 8 bytes of the 32-byte transaction hash as a signed little-endian integer. */
export function transactionId(hash: Uint8Array): bigint {
  checkLength('a transaction hash', hash, HASH_LENGTH);
  return new DataView(hash.buffer, hash.byteOffset).getBigInt64(0, true);
}

function checkLength(what: string, bytes: Uint8Array, expected: number): void {
  if (bytes.length !== expected) throw invalidInputError(`${what} is ${expected} bytes, not ${bytes.length}`);
}
