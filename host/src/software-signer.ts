import {
  accountFromPublicKey,
  decodeTransaction,
  encodeAddress,
  publicKeyOf,
  signDigest,
  signingDigest,
  transactionHash,
} from '../../chain/src/index.js';
import type { DevicePublicKey } from './replies.js';
import type { SignedTransaction } from './signer.js';
import type { SignTransactionRequest } from './upload-header.js';

/** Signs as a device does, but asks nobody: for programs that hold a private key of their own. There is one account, whatever its index. */
export class SoftwareSigner {
  readonly #privateKey: Uint8Array;

  /** Takes over the 32-byte Ed25519 private key: `wipe` overwrites it. */
  constructor(privateKey: Uint8Array) {
    this.#privateKey = privateKey;
  }

  async getPublicKey(): Promise<DevicePublicKey> {
    const publicKey = publicKeyOf(this.#privateKey);
    return { publicKey, address: encodeAddress(publicKey) };
  }

  /** Takes what a device takes (signer-protocol §2); throws TransactionError otherwise. */
  async signTransaction({ genesisHash, transaction }: SignTransactionRequest): Promise<SignedTransaction> {
    decodeTransaction(transaction, accountFromPublicKey(publicKeyOf(this.#privateKey)));
    const signature = signDigest(signingDigest(genesisHash, transaction), this.#privateKey);
    return { signature, transactionHash: transactionHash(transaction, signature) };
  }

  wipe(): void {
    this.#privateKey.fill(0);
  }
}
