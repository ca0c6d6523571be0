import { statusWordOf } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { CLA_SIGNER, INS_SIGN_MESSAGE, INS_SIGN_TX, P1_HEADER } from '@zbc-signer/protocol/commands';
import { NONCE_POINT_LENGTH } from '@zbc-signer/protocol/limits';
import { OK } from '@zbc-signer/protocol/status-words';

const COUNT = 8;
const SETS = 0x10000 / COUNT;

/**
 * The channels of one program: a random set of eight, used in turn, so that a late or repeated report is not
 * mistaken for a reply to the next command. The set is small, so that two programs rarely share a channel. An
 * upload, and REVEAL after its approval, keep the channel of the header, by which the device knows the program.
 */
export class ReportChannels {
  #set = randomSet();
  #count = 0;
  #lastUsed: number[] = [];
  /** Channel of the unfinished upload, or of the approval that waits for REVEAL. */
  #upload: number | undefined;

  constructor() {
    bindMembers(this);
  }

  /** The channel for a command: that of what is unfinished, unless the command is a header. */
  channelFor(apdu: Uint8Array): number {
    return (isUpload(apdu) && apdu[2] === P1_HEADER ? undefined : this.#upload) ?? this.take();
  }

  /**
   * Records the reply to a command: 9000 without data asks for the next chunk of an upload, and with the point of a
   * nonce for REVEAL.
   */
  note(channel: number, apdu: Uint8Array, reply: Uint8Array): void {
    const asks = reply.length === 2 || reply.length === NONCE_POINT_LENGTH + 2;
    const isUnfinished = isUpload(apdu) && asks && statusWordOf(reply) === OK;
    this.#upload = isUnfinished ? channel : undefined;
  }

  /** The next channel, which no pending command uses. Fewer than eight may be pending. */
  take(waiting: ReadonlyMap<number, unknown> = new Map()): number {
    let channel: number;
    do {
      channel = this.#set * COUNT + (this.#count % COUNT);
      this.#count += 1;
    } while (waiting.has(channel));
    this.#lastUsed = [...this.#lastUsed.filter(other => other !== channel), channel].slice(-COUNT);
    return channel;
  }

  /** Channels of the last eight commands. */
  get lastUsed(): readonly number[] {
    return this.#lastUsed;
  }

  /** Chooses another set, because an unexpected reply may still arrive on the old one. */
  renew(): void {
    this.#set = (this.#set + 1 + (randomSet() % (SETS - 1))) % SETS;
    this.#upload = undefined;
  }
}

function isUpload([cla, ins]: Uint8Array): boolean {
  return cla === CLA_SIGNER && (ins === INS_SIGN_TX || ins === INS_SIGN_MESSAGE);
}

function randomSet(): number {
  return globalThis.crypto.getRandomValues(new Uint16Array(1))[0]! % SETS;
}
