import { INTERNAL } from '@zbc-signer/protocol/status-words';
import { DisconnectedError } from '../errors.js';
import { type Device, statusReply } from './device.js';
import type { Platform } from './platform.js';
import { channelOf, isCancel, ReportAssembler } from './report-assembler.js';

type Deliver = (report: Uint8Array) => void;

/** A command that waits for the user. */
interface Pending {
  channel: number;
  deliver: Deliver;
  resolve(reply: Uint8Array): void;
  reject(reason: unknown): void;
}

/** As for an exchange without reports: before the firmware sees an input, and after it has answered. */
interface Listeners {
  onInput(input: { apdu: Uint8Array } | { cancel: true }): void;
  /** Without a reply the review has begun. */
  onCommand(reply: Uint8Array | undefined): void;
  onExchange(apdu: Uint8Array, reply: Promise<Uint8Array>): void;
  onCancelled(): void;
}

/**
 * The side of the device that 64-byte reports reach: the firmware frames them itself. A report that is not
 * answered at once and draws a screen has opened a review, or ended the one that was open.
 */
export class ReportExchanges {
  #pending: Pending | undefined;
  readonly #commands = new ReportAssembler();
  /** Of the last command that was answered or opened a review. */
  #owner: number | undefined;

  constructor(
    private readonly device: Device,
    private readonly platform: Platform,
    private readonly listeners: Listeners,
  ) {}

  /** Whether a command that came in reports waits for the user. */
  get pending(): boolean {
    return this.#pending !== undefined;
  }

  /**
   * Takes a report that came over a link, by its number; those of a reply go to `deliver`, now or when the user
   * has decided.
   */
  take(report: Uint8Array, link: number, deliver: Deliver): void {
    const apdu = this.#commands.add(report, link);
    if (apdu !== undefined) this.#command(report, link, apdu, deliver);
    else if (isCancel(report) && channelOf(report, link) === (this.#pending?.channel ?? this.#owner))
      this.#cancel(() => this.device.report(report, link));
    else this.device.report(report, link);
  }

  /** The user decided: delivers the reply's reports to the waiting host; false if none waits. */
  settle(reply: Uint8Array): boolean {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return false;
    this.#deliver(pending.deliver);
    pending.resolve(reply);
    return true;
  }

  /** The host of the pending command, if any, gets no reply. */
  fail(reason: unknown): void {
    this.#pending?.reject(reason);
    this.#pending = undefined;
  }

  /** The host went away: its review or unfinished upload is dropped. */
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

  /** The reply, or what waits for it until the user has decided. */
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

  /** Delivers the reports of a reply; gives the reply. */
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
