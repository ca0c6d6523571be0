import { statusWordOf, type ZbcSignerError } from '@zbc-signer/chain';
import { CLA_SIGNER, INS_GET_APP_VERSION } from '@zbc-signer/protocol/commands';
import { BUSY } from '@zbc-signer/protocol/status-words';
import { TransportError } from '../../errors.js';
import type { ReportChannels } from './report-channels.js';
import type { ReportDevice } from './report-device.js';
import { encodeCancel, encodeReports, ReplyAssembler } from './report-framing.js';

/** A command that every signer answers at once, with BUSY while a review is open. */
export const PROBE = Uint8Array.of(CLA_SIGNER, INS_GET_APP_VERSION, 0, 0, 0);

/** Time limits for a silent device, in milliseconds. */
export interface ReportTimes {
  /** After this long without a reply, the signer is asked whether a review is open. */
  probeMs: number;
  /**
   * If the signer does not answer that question or complete a reply for this long, the reply counts as lost.
   */
  lostMs: number;
}

const REPORT_TIMES: ReportTimes = { probeMs: 2000, lostMs: 2000 };

/** A command without a complete reply yet. */
interface Pending {
  assembler: ReplyAssembler;
  resolve(reply: Uint8Array): void;
  reject(error: ZbcSignerError): void;
}

/**
 * An open device. It is read continuously, because the system keeps few unread reports and drops the others.
 * A review has no time limit, but a lost reply is noticed: during a review, the signer answers a probe on
 * another channel with BUSY.
 */
export class ReportLink {
  /** Channel of the caller's last command. */
  #channel: number | undefined;
  /** The caller's command and its probe, by channel. */
  readonly #pending = new Map<number, Pending>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #written = Promise.resolve();
  #failed = false;
  /** Whether a command failed without a reply, so that its review may still be open. */
  #isUncertain = false;

  constructor(
    private readonly device: ReportDevice,
    private readonly channels: ReportChannels,
    private readonly times: ReportTimes = REPORT_TIMES,
  ) {
    device.listen(
      report => this.#read(report),
      cause => this.#fail(disconnectedError(cause)),
    );
  }

  /** Set by the first failure; the link can then no longer be used. */
  get failed(): boolean {
    return this.#failed;
  }

  /**
   * Sends a command and resolves with the reply, for which the caller must wait before the next command. If
   * the device is busy, a review of this program that was abandoned is ended, and the command is repeated
   * once.
   */
  async exchange(apdu: Uint8Array): Promise<Uint8Array> {
    const reply = await this.#try(apdu);
    if (statusWordOf(reply) !== BUSY) return reply;
    void this.#cancelAll();
    return this.#try(apdu);
  }

  async #try(apdu: Uint8Array): Promise<Uint8Array> {
    const channel = this.channels.channelFor(apdu);
    this.#channel = channel;
    const sent = this.#send(channel, apdu);
    this.#schedule(this.times.probeMs, () => void this.#probe(channel));
    try {
      const reply = await sent;
      this.channels.note(channel, apdu, reply);
      return reply;
    } finally {
      if (!this.#pending.has(channel)) this.#idle();
    }
  }

  /** Stops waiting for replies, and ends the review on the device. */
  abandon(): void {
    if (this.#pending.size === 0 || this.#channel === undefined) return;
    this.#idle();
    void this.#write([encodeCancel(this.#channel)]);
    this.channels.renew();
  }

  /** Fails a pending command and ends its review on the device. */
  async close(): Promise<void> {
    const waiting = [...this.#pending.values()];
    this.abandon();
    const error = new TransportError('TRANSPORT_FAILED', 'the device was closed by this program');
    for (const { reject } of waiting) reject(error);
    if (this.#isUncertain) {
      void this.#cancelAll();
      this.channels.renew();
    }
    await this.#flush();
    this.#failed = true;
    await this.device.close();
  }

  /** Ends an abandoned review of this program. Reviews of other programs stay open. */
  #cancelAll(): Promise<void> {
    const forgotten = this.channels.lastUsed.filter(channel => !this.#pending.has(channel));
    return this.#write(forgotten.map(encodeCancel));
  }

  /** Waits for pending writes, but not for a device that accepts nothing. */
  async #flush(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<void>(resolve => {
      timer = setTimeout(resolve, this.times.lostMs);
    });
    await Promise.race([this.#written, expired]);
    clearTimeout(timer);
  }

  #send(channel: number, apdu: Uint8Array): Promise<Uint8Array> {
    const reply = new Promise<Uint8Array>((resolve, reject) => {
      this.#pending.set(channel, { assembler: new ReplyAssembler(channel), resolve, reject });
    });
    void this.#write(encodeReports(channel, apdu));
    return reply;
  }

  /** Asks on another channel whether a review is open; if not, the awaited reply was lost. */
  async #probe(channel: number): Promise<void> {
    const reply = this.#send(this.channels.take(this.#pending), PROBE);
    this.#schedule(this.times.lostMs, () => this.#fail(lostError()));
    const status = await reply.then(statusWordOf, () => undefined);
    if (status === undefined || !this.#pending.has(channel)) return;
    if (status === BUSY) this.#schedule(this.times.probeMs, () => void this.#probe(channel));
    else this.#fail(lostError());
  }

  /**
   * Writes reports once the previous ones are written, so that the reports of two commands never interleave.
   */
  #write(reports: Uint8Array[]): Promise<void> {
    this.#written = this.#written.then(async () => {
      try {
        await this.device.write(reports);
      } catch (cause) {
        this.#fail(disconnectedError(cause));
      }
    });
    return this.#written;
  }

  #read(report: Uint8Array): void {
    for (const [channel, pending] of this.#pending) {
      try {
        const received = pending.assembler.received;
        const reply = pending.assembler.add(report);
        if (reply !== undefined) {
          this.#pending.delete(channel);
          pending.resolve(reply);
        } else if (pending.assembler.received > received) {
          this.#schedule(this.times.lostMs, () => this.#fail(lostError()));
        }
      } catch (error) {
        this.#fail(error as ZbcSignerError);
      }
    }
  }

  #schedule(delayMs: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, delayMs);
  }

  /** Stops the timer and forgets the pending commands. */
  #idle(): void {
    clearTimeout(this.#timer);
    this.#pending.clear();
  }

  #fail(error: ZbcSignerError): void {
    const waiting = [...this.#pending.values()];
    this.#failed = true;
    this.#isUncertain ||= waiting.length > 0;
    this.#idle();
    for (const { reject } of waiting) reject(error);
  }
}

function disconnectedError(cause: unknown): TransportError {
  return new TransportError('DEVICE_DISCONNECTED', 'the device was disconnected', {
    cause,
  });
}

function lostError(): TransportError {
  return new TransportError('REPLY_LOST', 'the reply of the device was lost');
}
