import { encodeTransaction } from '@zbc-signer/chain';
import { linkedBytes as encodeLinked, type SigningRequest } from '@zbc-signer/emulator/arbitrary';
import { signTransaction } from '../../testkit/device/apdu.js';
import type { TransactionCase } from '../../testkit/repository/vectors.js';

/** The arguments of SIGN_TX; the bytes need not be valid. */
export interface Upload {
  account: number;
  genesisHash: Uint8Array;
  transaction: Buffer;
  linked: Buffer;
  token?: { decimals?: number; symbol?: string } | undefined;
}

/** Returns the upload of a request that the signer accepts. */
export function uploadOf({ transaction, genesisHash, escrowed, signature, token }: SigningRequest): Upload {
  const linked = escrowed ? encodeLinked(escrowed, signature!) : [];
  return {
    account: 0,
    genesisHash,
    transaction: Buffer.from(encodeTransaction(transaction)),
    linked: Buffer.from(linked),
    token,
  };
}

/** Returns the upload of a vector. */
export function uploadOfVector({
  account,
  genesis,
  tx,
  linked,
  token,
}: Omit<TransactionCase, 'name' | 'expect'>): Upload {
  const [genesisHash, transaction, linkedBytes] = [genesis, tx, linked ?? ''].map(hex =>
    Buffer.from(hex, 'hex'),
  );
  return { account, genesisHash: genesisHash!, transaction: transaction!, linked: linkedBytes!, token };
}

/** Returns the commands that carry an upload (docs/APDU.md#sign_tx). */
export function apdusOf({ account, genesisHash, transaction, linked, token }: Upload): Uint8Array[] {
  return signTransaction({
    account,
    genesis: Buffer.from(genesisHash).toString('hex'),
    tx: transaction.toString('hex'),
    linked: linked.toString('hex'),
    ...(token && { token }),
  });
}
