import { encodeTransaction } from '@zbc-signer/chain';
import { linkedBytes, type SigningRequest } from '@zbc-signer/emulator/arbitrary';
import { signTransaction } from '../../../testkit/device/apdu.js';

/** The arguments that a host gives SIGN_TX; the bytes need not be valid. */
export interface Upload {
  account: number;
  genesisHash: Uint8Array;
  transaction: Buffer;
  linked: Buffer;
  token?: { decimals?: number; symbol?: string } | undefined;
}

/** The upload of a request that the signer accepts. */
export function uploadOf({ transaction, genesisHash, escrowed, signature, token }: SigningRequest): Upload {
  const linked = escrowed ? linkedBytes(escrowed, signature!) : [];
  return {
    account: 0,
    genesisHash,
    transaction: Buffer.from(encodeTransaction(transaction)),
    linked: Buffer.from(linked),
    token,
  };
}

/** The commands that carry an upload (docs/APDU.md#sign_tx). */
export function apdusOf({ account, genesisHash, transaction, linked, token }: Upload): Uint8Array[] {
  return signTransaction({
    account,
    genesis: Buffer.from(genesisHash).toString('hex'),
    tx: transaction.toString('hex'),
    linked: linked.toString('hex'),
    ...(token && { token }),
  });
}
