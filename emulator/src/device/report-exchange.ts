import { INTERNAL } from '@zbc-signer/protocol/status-words';
import { DisconnectedError } from '../errors.js';
import { type Device, statusReply } from './device.js';
import type { Platform } from './platform.js';
import { channelOf, isCancel, ReportAssembler } from './report-assembler.js';

type Deliver = (report: Uint8Array) => void;

/** A command that was sent in reports and waits for the user. */
interface Pending {
  channel: number;
  deliver: Deliver;
  resolve(reply: Uint8Array): void;
  reject(reason: unknown): void;
}

/**
 * The listeners are called as for a command that is not sent in reports: `onInput` before the firmware gets
 * the input, and the others after it has answered.
 */
interface Listeners {
  onInput(input: { apdu: Uint8Array } | { cancel: true }): void;
  /** If `reply` is undefined, a review has begun. */
  onCommand(reply: Uint8Array | undefined): void;
  onExchange(apdu: Uint8Array, reply: Promise<Uint8Array>): void;
  onCancelled(): void;
}

/**
 * Exchanges of commands in 64-byte reports, for which the firmware itself does the framing. If a report is
 * not answered at once but changes the screen, it has opened a review, or ended the open review.
 */
export class ReportExchanges {
  #pending: Pending | undefined;
  readonly #commands = new ReportAssembler();
  /** Channel of the last command that was answered or opened a review. */
  #owner: number | undefined;

  constructor(
    private readonly device: Device,
    private readonly platform: Platform,
    private readonly listeners: Listeners,
  ) {}

  /** Whether a command sent in reports waits for the user. */
  get pending(): boolean {
    return this.#pending !== undefined;
  }

  /**
   * Processes a report from link number `link`. The reports of a reply go to `deliver`, immediately or after
   * the user's decision.
   */
  take(report: Uint8Array, link: number, deliver: Deliver): void {
    const apdu = this.#commands.add(report, link);
    if (apdu !== undefined) this.#command(report, link, apdu, deliver);
    else if (isCancel(report) && channelOf(report, link) === (this.#pending?.channel ?? this.#owner))
      this.#cancel(() => this.device.report(report, link));
    else this.device.report(report, link);
  }

  /** Delivers the reply to the waiting host after the user's decision; returns false if no host waits. */
  settle(reply: Uint8Array): boolean {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return false;
    this.#deliver(pending.deliver);
    pending.resolve(reply);
    return true;
  }

  /** Drops the pending command, if any, without a reply. */
  fail(reason: unknown): void {
    this.#pending?.reject(reason);
    this.#pending = undefined;
  }

  /** Drops the review or unfinished upload of a disconnected host. */
  disconnect(): void {
    if (this.#owner !== undefined) this.#cancel(() => this.device.cancel());
    this.#owner = undefined;
  }

  #command(report: Uint8Array, link: number, apdu: Uint8Array, deliver: Deliver): void {
    this.listeners.onInput({ apdu });
    const [screen, crashes] = [this.platform.screen, this.device.crashes.length];
    const isAnswered = this.device.report(report, link);
    let reply: Uint8Array | undefined;
    if (this.device.crashes.length > crashes) {
      reply = statusReply(INTERNAL);
      this.#pending?.resolve(reply);
      this.#pending = undefined;
    } else if (isAnswered) {
      reply = this.#deliver(deliver);
    }
    const channel = channelOf(report, link);
    if (this.#pending === undefined) this.#owner = channel;
    const settled = this.#settled(reply, channel, deliver, this.platform.screen !== screen);
    this.listeners.onCommand(reply);
    this.listeners.onExchange(apdu, settled);
  }

  /**
   * Resolves with the reply: at once if there is one, or after the decision if a review has opened. Otherwise
   * rejects.
   */
  #settled(
    reply: Uint8Array | undefined,
    channel: number,
    deliver: Deliver,
    isReviewing: boolean,
  ): Promise<Uint8Array> {
    if (reply !== undefined) return Promise.resolve(reply);
    const settled = new Promise<Uint8Array>((resolve, reject) => {
      if (isReviewing) this.#pending = { channel, deliver, resolve, reject };
      else reject(new DisconnectedError());
    });
    settled.catch(() => undefined);
    return settled;
  }

  #cancel(tellDevice: () => void): void {
    this.listeners.onInput({ cancel: true });
    this.fail(new DisconnectedError());
    tellDevice();
    this.listeners.onCancelled();
  }

  /** Delivers the reports of a reply, and returns the reply. */
  #deliver(deliver: Deliver): Uint8Array | undefined {
    const assembler = new ReportAssembler();
    let reply: Uint8Array | undefined;
    for (let report = this.device.replyReport(); report; report = this.device.replyReport()) {
      reply = assembler.add(report);
      deliver(report);
    }
    return reply;
  }
}
