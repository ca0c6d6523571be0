import { setTimeout as pause } from 'node:timers/promises';
import { statusWordOf } from '@zbc-signer/chain';
import type { Transport } from '@zbc-signer/host';
import { NONCE_POINT_LENGTH } from '@zbc-signer/protocol/limits';
import { BUSY } from '@zbc-signer/protocol/status-words';
import { GET_APP_VERSION } from '../commands.js';
import { hasNoncePointLength } from '../device/exchange.js';
import type { SignerUnderTest } from './signer-under-test.js';

/** Time limit for a reply that needs no decision. Deriving a key takes the longest. */
const ANSWER_MS = 10_000;
/** The same for a signer that has failed a check. */
const FAULTY_ANSWER_MS = 2000;
/** Time limit for the start after a power cut. */
const START_MS = 20_000;
const RETRY_MS = 250;

/**
 * Returns a reply in hex for messages. Leaves out what may be the point of a nonce: a dishonest signer chooses that
 * point, and could hide its seed in it for whoever reads the message.
 */
export function shownReply(reply: Uint8Array): string {
  return hasNoncePointLength(reply)
    ? `${NONCE_POINT_LENGTH} bytes and 9000`
    : Buffer.from(reply).toString('hex') || 'nothing';
}

/** The connection to a signer that must answer like a reference, and the times in which it must answer. */
export class SignerLink {
  transport: Transport;
  #answerMs = ANSWER_MS;

  constructor(
    private readonly signer: Pick<SignerUnderTest, 'connect'>,
    /** The signer in messages, such as `the device`. */
    private readonly subject: string,
    private readonly fault: (message: string) => Error,
    /** The message if a review stays open that must have ended. */
    private readonly stillOpen: string,
  ) {
    this.transport = signer.connect();
  }

  hurry(): void {
    this.#answerMs = FAULTY_ANSWER_MS;
  }

  /** Resolves with the reply, which must arrive in time. `what` is the reply in the message of the fault. */
  inTime(reply: Promise<Uint8Array>, what = 'no reply'): Promise<Uint8Array> {
    const late = (seconds: number) => this.fault(`${this.subject} sent ${what} within ${seconds} s`);
    return withLimit(reply, this.#answerMs, late);
  }

  /** Sends a command that needs no decision; resolves with the signer's answer. */
  async ask(command: Uint8Array, transport = this.transport, signal?: AbortSignal): Promise<Uint8Array> {
    return this.inTime(transport.exchange(Buffer.from(command), signal));
  }

  /** Connects again after a power cut, and waits until the signer has started. */
  async reconnect(isFatal?: () => boolean): Promise<void> {
    // The old connection stays open until the signer has started. Closing it earlier would cancel a review
    // that the power cut itself must end.
    const before = this.transport;
    this.transport = this.signer.connect();
    try {
      await this.awaitAnswer(isFatal);
    } finally {
      await before.close();
    }
  }

  /**
   * Waits until the signer answers, because it may still be dropping a review or starting. Resolves with its
   * reply to GET_APP_VERSION. A transport's error ends the wait if `isFatal` says so.
   */
  async awaitAnswer(isFatal: () => boolean = () => false): Promise<Uint8Array> {
    for (const end = performance.now() + START_MS; ; await pause(RETRY_MS)) {
      const answer = await this.ask(GET_APP_VERSION).catch((error: unknown) => {
        if (performance.now() > end || isFatal()) throw error;
      });
      if (answer && statusWordOf(answer) !== BUSY) return answer;
      if (answer && performance.now() > end) throw this.fault(this.stillOpen);
    }
  }
}

/**
 * Settles like the promise. If it has not settled after `limitMs`, rejects with the error that `late`
 * returns.
 */
async function withLimit<Value>(
  promise: Promise<Value>,
  limitMs: number,
  late: (seconds: number) => Error,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(limitMs / 1000)), limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
