import {
  derivePrivateKey,
  fromHex,
  seedFromMnemonic,
  signDigest,
  signingDigest,
  TEST_MNEMONIC,
  transactionHash,
} from '@zbc-signer/chain';
import type { Transport } from '@zbc-signer/host';
import {
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_SIGN_TX,
  P1_HEADER,
} from '@zbc-signer/protocol/commands';
import { publicKeyReply, versionReply } from '../script.js';

export const KEY = derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), 0);
const LOCKED_FLAG = 2;

/** A device with one account, in a state that the test sets. Counts the commands that overlap. */
export abstract class StateDevice implements Transport {
  state: 'ready' | 'locked' | 'other app' | 'busy' | 'gone' | 'nonsense' = 'ready';
  overlaps = 0;
  /** The chunks since the last header. */
  protected received = Buffer.alloc(0);
  #running = 0;

  abstract close(): void;
  /** Waits before the answer to a command. */
  protected abstract pause(): Promise<unknown>;
  /** Answers a chunk of a transaction. */
  protected abstract review(signal?: AbortSignal): Promise<Uint8Array>;

  async exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    this.#running += 1;
    if (this.#running > 1) this.overlaps += 1;
    try {
      await this.pause();
      return await this.#answer(apdu, signal);
    } finally {
      this.#running -= 1;
    }
  }

  async #answer(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const [, ins, p1] = apdu;
    switch (this.state) {
      case 'gone':
        throw new Error('no cable');
      case 'busy':
        return fromHex('6901');
      case 'nonsense':
        return fromHex('00');
      case 'other app':
        return ins === INS_GET_APP_NAME ? fromHex('0105426974636f0531302e312e9000') : fromHex('6e00');
      case 'locked':
        return ins === INS_GET_APP_VERSION ? fromHex(versionReply(LOCKED_FLAG)) : fromHex('5515');
    }
    if (ins === INS_GET_APP_VERSION) return fromHex(versionReply());
    if (ins === INS_GET_PUBLIC_KEY) return fromHex(publicKeyReply(0));
    if (ins !== INS_SIGN_TX) return fromHex('6d00');
    this.received = p1 === P1_HEADER ? Buffer.alloc(0) : Buffer.concat([this.received, apdu.subarray(5)]);
    return p1 === P1_HEADER ? fromHex('9000') : this.review(signal);
  }

  /** Returns the reply after an approval. */
  protected sign(genesisHash: Uint8Array, transaction: Uint8Array): Uint8Array {
    const signature = signDigest(signingDigest(genesisHash, transaction), KEY);
    return new Uint8Array([...signature, ...transactionHash(transaction, signature), 0x90, 0]);
  }
}
