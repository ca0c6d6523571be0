import { signingDigest, toHex, transactionHash, verify } from '@zbc-signer/chain';
import { invalidSignatureError, publicKeyMismatchError, transactionHashMismatchError } from '../errors.js';
import type { CheckedNonce } from './committed-signing.js';

/** A signature of 64 bytes and a transaction hash of 32 bytes. */
export interface TransactionSignature {
  signature: Uint8Array;
  transactionHash: Uint8Array;
  /** Only with `antiExfil`, if the device supports it. */
  antiExfil?: CheckedNonce | undefined;
}

/** The bytes to sign, and the key that should sign them. */
interface SigningSubject {
  genesisHash: Uint8Array;
  unsigned: Uint8Array;
  publicKey: Uint8Array;
}

/**
 * Throws `INVALID_SIGNATURE` or `TRANSACTION_HASH_MISMATCH` for a result that does not match the subject.
 */
export function checkSigned(
  signed: TransactionSignature,
  { genesisHash, unsigned, publicKey }: SigningSubject,
): void {
  checkSignature(signed.signature, signingDigest(genesisHash, unsigned), publicKey);
  const hash = transactionHash(unsigned, signed.signature);
  if (toHex(hash) !== toHex(signed.transactionHash)) throw transactionHashMismatchError();
}

export function checkSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void {
  if (!verify(signature, message, publicKey)) throw invalidSignatureError();
}

export function checkPublicKey(publicKey: Uint8Array, expected: Uint8Array): void {
  const [actualHex, expectedHex] = [toHex(publicKey), toHex(expected)];
  if (actualHex !== expectedHex) throw publicKeyMismatchError(actualHex, expectedHex);
}
