import { EventEmitter } from 'node:events';
import { anySignal, statusWordOf } from '@zbc-signer/chain';
import { encodeCancel, encodeReports } from '@zbc-signer/host/reports';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { callListener } from '@zbc-signer/protocol/callbacks';
import { OK } from '@zbc-signer/protocol/status-words';
import type { CoverageRecorder } from '../coverage/recorder.js';
import { BUTTON_BITS, type Button } from '../device/buttons.js';
import { Device } from '../device/device.js';
import type { EmulatorEvents } from '../device/events.js';
import { Exchanges, PROCESS_LINK } from '../device/exchange.js';
import { type Platform, type Screen, textsOf } from '../device/platform.js';
import type { SeedKind } from '../device/seed.js';
import { DisconnectedError, EmulatorStoppedError, type FirmwareCrashError } from '../errors.js';
import { checkBytes, checkChoice } from '../options.js';

const BUTTON_NAMES = Object.keys(BUTTON_BITS);
/** Interval at which the idle time of a device with a keystore is checked. */
const IDLE_LOOK_MS = 1000;
/** Number of channels of a link. */
const CHANNELS = 0x10000;

const warn = (text: string) =>
  globalThis.process === undefined ? console.warn(text) : process.emitWarning(text);

/** An in-process transport for the host library. */
export interface EmulatorTransport {
  /** Sends one command; resolves with its reply and status word. An abort ends a review. */
  exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /**
   * Ends the review of a pending command. The transport can no longer be used, but the emulator continues.
   */
  close(): void;
}

/** The parts of an emulated signer. */
export interface SignerParts {
  module: WebAssembly.Module;
  platform: Platform;
  seedKind: SeedKind;
  recorder: CoverageRecorder | undefined;
}

/** The shipped firmware with a seed, a screen and two buttons. */
export class EmulatedSigner extends EventEmitter<EmulatorEvents> {
  readonly #platform: Platform;
  readonly #device: Device;
  readonly #exchanges: Exchanges;
  /** Number of transports so far. */
  #transports = 0;
  #publishedCrashes = 0;
  #lastDecision: 'approved' | 'rejected' | undefined;
  #stopped = false;
  #pressedAt = performance.now();
  #idleTimer: ReturnType<typeof setInterval> | undefined;

  readonly seedKind: SeedKind;

  protected constructor({ module, platform, seedKind, recorder }: SignerParts) {
    super();
    bindMembers(this);
    this.setMaxListeners(0);
    this.seedKind = seedKind;
    this.#platform = platform;
    this.#device = new Device(module, platform);
    recorder?.observe(this);
    this.#exchanges = new Exchanges(this.#device, platform, {
      onInput: input => this.emit('input', input),
      onCommand: reply => {
        this.#publish();
        this.emit('command', reply);
      },
      onExchange: (apdu, reply) => this.emit('exchange', apdu, reply),
      onCancelled: () => this.#publish(),
    });
    this.#publish();
    if (platform.keystore) this.#watchIdling();
  }

  /**
   * Calls every listener. A listener that fails must not interrupt the device, so its failure only causes a
   * process warning.
   */
  override emit<Name extends keyof EmulatorEvents>(name: Name, ...values: EmulatorEvents[Name]): boolean {
    const listeners = this.rawListeners(name);
    for (const listener of listeners) {
      void callListener(() => Reflect.apply(listener, this, values)).then(
        // A runner of tests gives each file its own class Error, which Node does not accept here.
        error => error !== undefined && warn(String(Reflect.get(Object(error), 'stack') ?? error)),
      );
    }
    return listeners.length > 0;
  }

  /** Whether the firmware accepts the reports of a USB host. */
  get takesReports(): boolean {
    return this.#device.takesReports;
  }

  /** Every trap so far, oldest first; the firmware restarts after each. */
  get crashes(): readonly FirmwareCrashError[] {
    return this.#device.crashes;
  }

  /** The 16 bytes of stored settings, or undefined if none were stored. */
  get settings(): Uint8Array | undefined {
    return this.#platform.settings?.slice();
  }

  /** The pixels and texts of the current screen. */
  get screen(): Screen {
    return this.#platform.screen;
  }

  /** How the user decided the last review, if there was one. */
  get lastDecision(): 'approved' | 'rejected' | undefined {
    return this.#lastDecision;
  }

  /** Whether a command waits for the user. */
  get reviewing(): boolean {
    return this.#exchanges.pending;
  }

  /** The texts on the screen: the title, then the lines of the value from top to bottom. */
  texts(): string[] {
    return textsOf(this.screen);
  }

  /** A copy of the 1024-byte frame: 64 rows of 16 bytes; the most significant bit is the leftmost pixel. */
  frame(): Uint8Array {
    return this.screen.frame.slice();
  }

  /**
   * Sends one command and resolves with its reply. If the command opens a review, it resolves when the user
   * has decided, and until then any other command is answered BUSY. If the firmware crashes, the reply is
   * 6F00. Aborting `signal` during the review cancels the review.
   */
  async exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    return this.send(apdu, signal);
  }

  /** Like `begin`, for the transport with this channel, if one is given. */
  protected send(apdu: Uint8Array, signal?: AbortSignal, channel?: number): Promise<Uint8Array> {
    if (channel === undefined) return this.begin(apdu, signal);
    return this.beginFrom(PROCESS_LINK, channel, apdu, signal);
  }

  /**
   * Like `exchange`, but throws at once, and does not reject, if the argument is not a command or the
   * emulator was stopped.
   */
  begin(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    this.#checkCommand(apdu, signal);
    return this.#exchanges.start(apdu, signal);
  }

  /**
   * Like `begin`, for a host that is told apart by its link and channel (docs/APDU.md#links-and-channels). Its
   * command arrives in reports.
   */
  beginFrom(link: number, channel: number, apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (!this.takesReports) return this.begin(apdu, signal);
    this.#checkCommand(apdu, signal);
    const replies = encodeReports(channel, apdu).map(report =>
      this.#exchanges.take(report, link, () => undefined, signal),
    );
    return replies.at(-1) ?? Promise.reject(new DisconnectedError());
  }

  #checkCommand(apdu: Uint8Array, signal: AbortSignal | undefined): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    checkBytes('a command', apdu);
    signal?.throwIfAborted();
  }

  /** Drops the review or the unfinished upload of a host that `beginFrom` served. */
  leave(link: number, channel: number): void {
    if (!this.#stopped && this.takesReports)
      this.#exchanges.take(encodeCancel(channel), link, () => undefined);
  }

  /**
   * A connection to this device, which is a host of its own. Closing it cancels the review of its pending
   * command, and drops its unfinished upload.
   */
  transport(): EmulatorTransport {
    const link = new AbortController();
    const channel = this.#transports++ % CHANNELS;
    return {
      exchange: async (apdu, signal) => this.send(apdu, anySignal(signal, link.signal), channel),
      close: () => {
        link.abort(new DisconnectedError());
        this.leave(PROCESS_LINK, channel);
      },
    };
  }

  /**
   * Gives the firmware a report of 64 bytes, as a USB endpoint does. Each report of the reply goes to
   * `deliver`, immediately or when the user has decided (docs/APDU.md#transports). Each endpoint of a device
   * has its own number, from 0 to 32767.
   */
  report(report: Uint8Array, deliver: (report: Uint8Array) => void, endpoint = 0): void {
    if (!this.#stopped) this.#exchanges.take(report, endpoint, deliver)?.catch(() => undefined);
  }

  /** Drops the review or the unfinished upload of a disconnected USB host. */
  disconnectReports(): void {
    if (!this.#stopped) this.#exchanges.disconnect();
  }

  /** Drops the review or unfinished upload of a disconnected host. */
  cancel(): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.emit('input', { cancel: true });
    this.#exchanges.fail(new DisconnectedError());
    this.#device.cancel();
    this.#publish();
  }

  /**
   * Presses and releases a button. Throws INVALID_INPUT for an unknown button, and FirmwareCrashError if the
   * firmware traps.
   */
  press(button: Button): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    checkChoice('the button', button, BUTTON_NAMES);
    this.#pressedAt = performance.now();
    this.emit('input', { button });
    const crashes = this.crashes.length;
    const reply = this.#device.button(BUTTON_BITS[button]);
    if (reply) {
      this.#exchanges.settle(reply);
      this.#lastDecision = statusWordOf(reply) === OK ? 'approved' : 'rejected';
      this.emit('decision', reply);
    }
    this.#publish();
    if (this.crashes.length > crashes) throw this.crashes.at(-1)!;
  }

  /**
   * Simulates that no button was pressed for this many seconds. After 1,800 seconds a keystore forgets its
   * seed. Without a keystore, the call has no effect.
   */
  idle(seconds: number): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.#device.idle(seconds);
    this.#publish();
  }

  /**
   * Cuts the power and restores it: everything that is not stored is lost, and a pending command rejects with
   * DisconnectedError.
   */
  restart(): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.emit('input', { restart: true });
    this.#exchanges.fail(new DisconnectedError());
    this.#device.restart();
    this.#publish();
  }

  /** Wipes the seed and the memory; a pending command gets no reply. */
  protected end(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearInterval(this.#idleTimer);
    this.#exchanges.abandon();
    this.#device.stop();
    this.#platform.wipe();
    this.emit('stop');
  }

  #watchIdling(): void {
    const look = () => this.idle(Math.floor((performance.now() - this.#pressedAt) / 1000));
    this.#idleTimer = setInterval(look, IDLE_LOOK_MS);
    // Only Node has this method.
    this.#idleTimer.unref?.();
  }

  #publish(): void {
    if (!this.reviewing) this.#device.settleFront();
    while (this.#publishedCrashes < this.crashes.length) {
      this.emit('crash', this.crashes[this.#publishedCrashes++]!);
    }
    for (let screen = this.#platform.takeShown(); screen; screen = this.#platform.takeShown()) {
      this.emit('screen', screen);
    }
  }
}
