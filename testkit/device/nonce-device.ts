import { Point } from '@noble/ed25519';
import { encodeAddress, publicKeyOf, sign } from '@zbc-signer/chain';
import type { Transport } from '@zbc-signer/host';
import {
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_SIGN_TX,
  P1_DATA,
  P1_HEADER,
  P2_COMMITMENT,
} from '@zbc-signer/protocol/commands';
import { sha3 } from '../crypto/sha3.js';
import { numberOf, ownNonce, signWithNonce, tweakOf } from '../crypto/tweaked-nonce.js';

/** A point of order 8 (RFC 8032 encoding). */
const ORDER_8 = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const OK = Buffer.from('9000', 'hex');

/**
 * `plain`: signs with R0 and no tweak. `other`: signs with another nonce than R0's. `late`: gives an R0 that does not
 * depend on the commitment, and another each time. `torsion`: adds a point of order 8 to R0. `neutral`: gives the
 * neutral point. `early`: signs before the reveal. `withhold`: refuses the reveal. `cut`: the cable is cut at it.
 * `unsupported`: refuses the header, as older firmware does. `wrong`: the signature does not verify.
 */
export type NonceLie =
  | 'plain'
  | 'other'
  | 'late'
  | 'torsion'
  | 'neutral'
  | 'early'
  | 'withhold'
  | 'cut'
  | 'unsupported'
  | 'wrong';

/**
 * A device that approves everything and signs with a nonce to which the host contributes, as docs/APDU.md
 * specifies. It can lie.
 */
export class NonceDevice implements Transport {
  lie: NonceLie | undefined;
  /** Data of each REVEAL, and whether each header had a commitment. */
  readonly reveals: Buffer[] = [];
  readonly headers: boolean[] = [];
  readonly publicKey: Uint8Array;
  /** Data of the last header, and of the chunks since. */
  header = Buffer.alloc(0);
  received = Buffer.alloc(0);
  #hasCommitment = false;
  #draws = 0n;

  constructor(private readonly key: Uint8Array) {
    this.publicKey = publicKeyOf(key);
  }

  async exchange(apdu: Uint8Array): Promise<Uint8Array> {
    const [, ins, p1, p2 = 0] = apdu;
    const data = Buffer.from(apdu.subarray(5));
    if (ins === INS_GET_APP_VERSION) return Buffer.from(`0101000000${'00'.repeat(13)}9000`, 'hex');
    if (ins === INS_GET_PUBLIC_KEY)
      return Buffer.concat([this.publicKey, Buffer.from(encodeAddress(this.publicKey)), OK]);
    if (p1 === P1_HEADER) {
      this.#hasCommitment = (p2 & P2_COMMITMENT) !== 0;
      this.headers.push(this.#hasCommitment);
      if (this.#hasCommitment && this.lie === 'unsupported') return Buffer.from('6a86', 'hex');
      this.header = data;
      this.received = Buffer.alloc(0);
      return OK;
    }
    if (p1 === P1_DATA) return this.#take(ins!, data);
    this.reveals.push(data);
    if (this.lie === 'withhold') return Buffer.from('6f00', 'hex');
    if (this.lie === 'cut') throw new Error('the cable was unplugged');
    return this.#finish(ins!, signWithNonce(this.key, this.#message(ins!), this.#tweaked(ins!, data)));
  }

  close(): void {}

  #take(ins: number, chunk: Buffer): Buffer {
    this.received = Buffer.concat([this.received, chunk]);
    const at = ins === INS_SIGN_TX ? 36 : 4;
    if (this.received.length < this.header.readUInt32LE(at)) return OK;
    if (!this.#hasCommitment) return this.#finish(ins, sign(this.#message(ins), this.key));
    const { lie } = this;
    if (lie === 'early')
      return this.#finish(ins, signWithNonce(this.key, this.#message(ins), this.#nonce(ins)));
    if (lie === 'late') this.#draws += 1n;
    const point = Point.BASE.multiply(this.#nonce(ins));
    if (lie === 'neutral') return Buffer.concat([Point.ZERO.toBytes(), OK]);
    return Buffer.concat([(lie === 'torsion' ? point.add(ORDER_8) : point).toBytes(), OK]);
  }

  #message(ins: number): Buffer {
    return ins === INS_SIGN_TX
      ? sha3(Buffer.from('ZBC-TX'), this.header.subarray(4, 36), this.received)
      : this.received;
  }

  #nonce(ins: number): bigint {
    if (this.lie === 'late') return 1000n + this.#draws;
    const at = ins === INS_SIGN_TX ? 44 : 8;
    return numberOf(ownNonce(this.key, this.header.subarray(at, at + 32), this.#message(ins)));
  }

  #tweaked(ins: number, revealed: Buffer): bigint {
    const nonce = this.#nonce(ins);
    if (this.lie === 'plain') return nonce;
    if (this.lie === 'other') return nonce + 1n;
    return nonce + tweakOf(Point.BASE.multiply(nonce).toBytes(), revealed);
  }

  #finish(ins: number, made: Uint8Array): Buffer {
    const signature = Buffer.from(made);
    if (this.lie === 'wrong') signature[32]! ^= 1;
    const hash = ins === INS_SIGN_TX ? sha3(this.received, signature) : Buffer.alloc(0);
    return Buffer.concat([signature, hash, OK]);
  }
}
