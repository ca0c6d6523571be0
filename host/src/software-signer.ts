import { isBytes } from '@noble/hashes/utils.js';
import {
  accountFromPublicKey,
  decodeTransaction,
  encodeAddress,
  invalidInputError,
  publicKeyOf,
  signDigest,
  signingDigest,
  transactionHash,
} from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import type { DevicePublicKey } from './device/replies.js';
import { checkPublicKey, type TransactionSignature } from './device/signed-transaction.js';
import { copyRequest, type SignTransactionRequest } from './device/upload-header.js';

const PRIVATE_KEY_LENGTH = 32;

/**
 * Signs like a device but without a review, for programs that hold a private key. It has one account, which
 * it uses for every account index.
 */
export class SoftwareSigner {
  readonly #privateKey: Uint8Array;

  /**
   * Keeps a reference to the 32-byte Ed25519 private key; `wipe` overwrites it. Throws `INVALID_INPUT` for
   * anything else.
   */
  constructor(privateKey: Uint8Array) {
    bindMembers(this);
    if (!isBytes(privateKey) || privateKey.length !== PRIVATE_KEY_LENGTH) {
      throw invalidInputError(`a private key must be a Uint8Array of ${PRIVATE_KEY_LENGTH} bytes`);
    }
    this.#privateKey = privateKey;
  }

  /** Returns the public key, 32 bytes, and its address. */
  async getPublicKey(): Promise<DevicePublicKey> {
    const publicKey = publicKeyOf(this.#privateKey);
    return { publicKey, address: encodeAddress(publicKey) };
  }

  /** Throws TransactionError for bytes that a device would refuse. */
  async signTransaction(request: SignTransactionRequest): Promise<TransactionSignature> {
    const { genesisHash, transaction, expectedPublicKey } = copyRequest(request);
    const publicKey = publicKeyOf(this.#privateKey);
    if (expectedPublicKey !== undefined) checkPublicKey(publicKey, expectedPublicKey);
    decodeTransaction(transaction, accountFromPublicKey(publicKey));
    const signature = signDigest(signingDigest(genesisHash, transaction), this.#privateKey);
    return { signature, transactionHash: transactionHash(transaction, signature) };
  }

  /** Overwrites the private key with zeros; the signer can no longer be used. */
  wipe(): void {
    this.#privateKey.fill(0);
  }
}
