import {
  accountFromPublicKey,
  decodeTransaction,
  encodeTransaction,
  invalidInputError,
} from '@zbc-signer/chain';
import { readBytes } from '../bytes.js';
import { copyContacts } from '../device/contact.js';
import type { PreparedTransaction, SignedTransaction } from './prepared.js';

/**
 * Decodes the transaction again from its bytes, so that it cannot change during a call. The argument is
 * untrusted.
 */
export function copyPrepared<Prepared extends PreparedTransaction>(given: Prepared): Prepared {
  const prepared: Prepared = Object(given);
  const { transaction, contacts: names } = prepared;
  const genesisHash = readBytes('genesisHash', prepared.genesisHash);
  const publicKey = readBytes('publicKey', prepared.publicKey);
  if (typeof transaction !== 'object')
    throw invalidInputError(
      'the argument has no field transaction; if it is a transaction document, read it with parseDocument first',
    );
  const own = accountFromPublicKey(publicKey);
  const copy = decodeTransaction(encodeTransaction(transaction), own);
  const height = typeof prepared.height === 'bigint' ? prepared.height : 0n;
  const contacts = copyContacts(names);
  return { ...prepared, contacts, genesisHash, publicKey, transaction: copy, height };
}

/** Like `copyPrepared`, with the signature. */
export function copySigned(given: SignedTransaction): SignedTransaction {
  const copy = copyPrepared(given);
  return {
    ...copy,
    signature: readBytes('signature', copy.signature),
    transactionHash: readBytes('transactionHash', copy.transactionHash),
  };
}
