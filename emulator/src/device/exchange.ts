import { statusWordOf } from '@zbc-signer/chain';
import { encodeCancel } from '@zbc-signer/host/reports';
import {
  CLA_SIGNER,
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_CONFIRM,
  P1_HEADER,
  P1_REGISTER,
  P2_APPROVER_CONTACT,
  P2_COMMITMENT,
  P2_NONE,
  P2_RECIPIENT_CONTACT,
} from '@zbc-signer/protocol/commands';
import { NONCE_POINT_LENGTH } from '@zbc-signer/protocol/limits';
import { INTERNAL, OK } from '@zbc-signer/protocol/status-words';
import { DisconnectedError } from '../errors.js';
import { type Device, statusReply } from './device.js';
import type { EmulatorInput } from './events.js';
import type { Platform } from './platform.js';
import { channelOf, isCancel, linkOf, ReportAssembler } from './report-assembler.js';

/** Numbers of links. Those of USB endpoints are smaller. */
export const HTTP_LINK = 0x100;
export const PROCESS_LINK = 0x101;
export const FIRST_TCP_LINK = 0x1000;

/** The channel of commands that do not arrive in reports. */
const NO_CHANNEL = -1;

/** Bits of P2 that a header of SIGN_TX may have. */
const TRANSACTION_OPTIONS = P2_RECIPIENT_CONTACT | P2_APPROVER_CONTACT | P2_COMMITMENT;
const STATUS_LENGTH = 2;

type Deliver = (report: Uint8Array) => void;

/** A command that waits for the user. */
interface Pending {
  apdu: Uint8Array;
  channel: number;
  deliver: Deliver;
  resolve(reply: Uint8Array): void;
  reject(reason: unknown): void;
  release(): void;
}

/**
 * `onInput` is called before the firmware gets the input. The others are called after it has returned, so they
 * may press buttons.
 */
interface Listeners {
  onInput(input: EmulatorInput): void;
  /** If `reply` is undefined, a review has begun. */
  onCommand(reply: Uint8Array | undefined): void;
  onExchange(apdu: Uint8Array, reply: Promise<Uint8Array>): void;
  onCancelled(): void;
}

/**
 * Exchanges of commands: those that the firmware gets whole, and those in 64-byte reports, for which it does the
 * framing itself. A command that waits for the user is kept until the decision. If a report is not answered at
 * once but changes the screen, it has opened a review, or ended the open review.
 */
export class Exchanges {
  #pending: Pending | undefined;
  /** The unfinished commands by their channels. */
  readonly #commands = new Map<number, ReportAssembler>();
  /** Channel of the unfinished upload, or of the approval that waits for REVEAL, if any. */
  #owner: number | undefined;

  constructor(
    private readonly device: Device,
    private readonly platform: Platform,
    private readonly listeners: Listeners,
  ) {}

  /** Whether a command waits for the user, with its review on the screen. */
  get pending(): boolean {
    return this.#pending !== undefined;
  }

  /**
   * Gives the firmware a whole command. An abort during its review cancels the review, and rejects with the
   * signal's reason.
   */
  start(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const ask = () => this.device.command(apdu);
    return this.#command(apdu, NO_CHANNEL, ask, () => undefined, signal);
  }

  /**
   * Processes a report from link number `link`. The reports of a reply go to `deliver`, immediately or after
   * the user's decision. Returns the reply to the command that this report completes; `signal` as in `start`.
   */
  take(
    report: Uint8Array,
    link: number,
    deliver: Deliver,
    signal?: AbortSignal,
  ): Promise<Uint8Array> | undefined {
    const channel = channelOf(report, link);
    if (isCancel(report) && channel === (this.#pending?.channel ?? this.#owner)) {
      this.#cancel(new DisconnectedError(), () => this.device.report(report, link));
      return undefined;
    }
    const command = this.#commands.get(channel) ?? new ReportAssembler();
    const apdu = command.add(report);
    if (command.isUnfinished) this.#commands.set(channel, command);
    else this.#commands.delete(channel);
    if (apdu !== undefined) {
      const ask = () => {
        if (!this.device.takesReports) return statusReply(INTERNAL);
        return this.device.report(report, link) ? this.#deliver(deliver) : undefined;
      };
      return this.#command(apdu, channel, ask, deliver, signal);
    }
    // The firmware replies if a report of the command is missing.
    if (this.device.report(report, link)) {
      if (report[3]! + report[4]! > 0) this.#commands.delete(channel);
      this.#deliver(deliver);
    }
    return undefined;
  }

  /** Answers the pending command, if any. */
  settle(reply: Uint8Array): void {
    const pending = this.#take();
    if (pending === undefined) return;
    if (pending.channel !== NO_CHANNEL) this.#deliver(pending.deliver);
    if (givesNoncePoint(pending.apdu, reply)) this.#owner = pending.channel;
    pending.resolve(reply);
  }

  /** Rejects the pending command, if any, and forgets the unfinished upload and commands. */
  fail(reason: unknown): void {
    this.#drop(reason);
    this.#commands.clear();
  }

  /**
   * Leaves the pending command, if any, without a reply, because an unhandled rejection would end the process.
   * An abort of its signal still rejects it.
   */
  abandon(): void {
    this.#pending = undefined;
  }

  /** Drops the review or unfinished upload of a disconnected USB host. */
  disconnect(): void {
    const channel = this.#pending?.channel ?? this.#owner ?? NO_CHANNEL;
    const isUsb = channel !== NO_CHANNEL && linkOf(channel) < HTTP_LINK;
    if (isUsb) this.#cancel(new DisconnectedError(), () => this.device.cancel());
    this.#commands.clear();
  }

  /**
   * `ask` gives the command to the firmware and returns its immediate reply, if any. Rejects if there is none and
   * no review has opened.
   */
  #command(
    apdu: Uint8Array,
    channel: number,
    ask: () => Uint8Array | undefined,
    deliver: Deliver,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const isElsewhere = this.#owner !== undefined && channel !== this.#owner && !takesOver(apdu);
    this.listeners.onInput({ apdu, ...(isElsewhere && { elsewhere: true }) });
    const [screen, crashes] = [this.platform.screen, this.device.crashes.length];
    const replied = ask();
    const hasCrashed = this.device.crashes.length > crashes;
    const reply = hasCrashed ? statusReply(INTERNAL) : replied;
    const isReviewing = reply === undefined && (channel === NO_CHANNEL || this.platform.screen !== screen);
    // A crash ends the pending review, and so does a new review, because the firmware never has two (BUSY).
    if (hasCrashed || isReviewing) this.settle(statusReply(INTERNAL));
    if (!isElsewhere || hasCrashed) this.#owner = asksForMore(apdu, reply) ? channel : undefined;
    const settled = new Promise<Uint8Array>((resolve, reject) => {
      if (reply !== undefined) resolve(reply);
      else if (isReviewing) this.#hold({ apdu, channel, deliver, resolve, reject }, signal);
      else reject(new DisconnectedError());
    });
    this.listeners.onCommand(reply);
    this.listeners.onExchange(apdu, settled);
    return settled;
  }

  #hold(command: Omit<Pending, 'release'>, signal: AbortSignal | undefined): void {
    const abort = () => {
      if (this.#pending !== pending) return command.reject(signal?.reason);
      this.#cancel(signal?.reason, () => this.#tellCancelled(command.channel));
    };
    signal?.addEventListener('abort', abort);
    const pending = { ...command, release: () => signal?.removeEventListener('abort', abort) };
    this.#pending = pending;
  }

  #take(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.release();
    return pending;
  }

  #drop(reason: unknown): void {
    this.#take()?.reject(reason);
    this.#owner = undefined;
  }

  #cancel(reason: unknown, tellDevice: () => void): void {
    this.listeners.onInput({ cancel: true });
    this.#drop(reason);
    tellDevice();
    this.listeners.onCancelled();
  }

  /** Cancels the review of a channel only, so that other hosts can go on with their unfinished commands. */
  #tellCancelled(channel: number): void {
    if (channel === NO_CHANNEL) this.device.cancel();
    else this.device.report(encodeCancel(channel & 0xffff), linkOf(channel));
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

/** Whether the reply to a command asks for the next chunk of its upload. */
function asksForMore(apdu: Uint8Array, reply: Uint8Array | undefined): boolean {
  return reply !== undefined && isUpload(apdu) && hasData(reply, 0);
}

/** Whether the reply to an approved command is the point of a nonce, after which the command waits for REVEAL. */
export function givesNoncePoint(apdu: Uint8Array, reply: Uint8Array): boolean {
  return isUpload(apdu) && hasNoncePointLength(reply);
}

/** Whether the reply may be the point of a nonce. */
export function hasNoncePointLength(reply: Uint8Array): boolean {
  return hasData(reply, NONCE_POINT_LENGTH);
}

function isUpload([, ins]: Uint8Array): boolean {
  return ins === INS_SIGN_TX || ins === INS_SIGN_MESSAGE;
}

function hasData(reply: Uint8Array, length: number): boolean {
  return reply.length === length + STATUS_LENGTH && statusWordOf(reply) === OK;
}

/** Whether a command ends what another channel has begun: a header, or a command with a review. */
function takesOver([cla, ins, p1, p2 = 0]: Uint8Array): boolean {
  if (cla !== CLA_SIGNER) return false;
  if (ins === INS_SIGN_TX) return p1 === P1_HEADER && (p2 & ~TRANSACTION_OPTIONS) === 0;
  if (ins === INS_SIGN_MESSAGE) return p1 === P1_HEADER && (p2 & ~P2_COMMITMENT) === 0;
  if (p2 !== P2_NONE) return false;
  if (ins === INS_GET_PUBLIC_KEY) return p1 === P1_CONFIRM;
  return ins === INS_REGISTER_CONTACT && p1 === P1_REGISTER;
}
