import { KIND_BYTES, KIND_ZBC, signingDigest, toHex, transactionHash, verify } from '@zbc-signer/chain';
import { ACCOUNT_LENGTH } from '@zbc-signer/protocol/limits';
import { ValidationError } from '../../errors.js';
import type { Broadcast } from './broadcast.js';
import { decodeEnvelope, encodeEnvelope } from './envelope.js';

/**
 * A transaction with a valid signature. `hash` is lower-case hex, and covers the unsigned bytes and the
 * signature.
 */
export interface SignedTransaction {
  hash: string;
  unsigned: Uint8Array;
  broadcast: Broadcast;
}

/**
 * Encodes a broadcast and checks its signature. If any byte was altered, the ValidationError is the same
 * (docs/gateway/routes.md#errors).
 */
export function verifyBroadcast(genesisHash: Uint8Array, broadcast: Broadcast): SignedTransaction {
  const { sender, signature } = broadcast;
  const unsigned = encodeEnvelope(broadcast);
  const digest = signingDigest(genesisHash, unsigned);
  if (!isZbcAccount(sender) || !verify(signature, digest, sender.subarray(KIND_BYTES))) {
    throw new ValidationError('Invalid transaction signature');
  }
  return hashed(unsigned, broadcast);
}

function isZbcAccount(account: Uint8Array): boolean {
  return (
    account.length === ACCOUNT_LENGTH &&
    new DataView(account.buffer, account.byteOffset).getUint32(0, true) === KIND_ZBC
  );
}

/** Decodes a transaction from bytes whose signature is known to be valid. */
export function decodeSigned(unsigned: Uint8Array, signature: Uint8Array): SignedTransaction {
  return hashed(unsigned, { ...decodeEnvelope(unsigned), signature });
}

function hashed(unsigned: Uint8Array, broadcast: Broadcast): SignedTransaction {
  return { hash: toHex(transactionHash(unsigned, broadcast.signature)), unsigned, broadcast };
}
