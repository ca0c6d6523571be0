import { EventEmitter } from 'node:events';
import { type ReviewItem, TEST_MNEMONIC } from '@zbc-signer/chain';
import { BUTTON_BITS, type Button } from '../device/buttons.js';
import { Device } from '../device/device.js';
import { Exchanges } from '../device/exchange.js';
import { loadFirmware } from '../device/firmware.js';
import { Platform, type Screen, textsOf } from '../device/platform.js';
import { encodePng } from '../device/png.js';
import { ReportExchanges } from '../device/report-exchange.js';
import { parseSeed } from '../device/seed.js';
import { DisconnectedError, EmulatorStoppedError, type FirmwareCrashError } from '../errors.js';
import { expectReview } from './expect-review.js';
import { awaitReview, walkToApprovePage, walkToRejectPage } from './review.js';
import { joinPages } from './review-pages.js';
import { expectSnapshots, type SnapshotOptions } from './snapshots.js';
import '../device/webassembly.js';

const REVIEW_TIMEOUT_MS = 10_000;

/** How to start an emulator. */
export interface EmulatorOptions {
  /** A BIP-39 mnemonic, or `hex:` and 128 digits; `null` for a locked device. Default: the test mnemonic. */
  seed?: string | null | undefined;
  /** The 16 bytes of stored settings at boot. */
  settings?: Uint8Array | undefined;
  /** A firmware to run instead of the shipped one. */
  module?: WebAssembly.Module | undefined;
}

/** An in-process transport for the host library. */
export interface EmulatorTransport {
  /** One command, with its reply and status word; an abort ends a review. */
  exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Ends a review; the transport is of no more use, the emulator goes on. */
  close(): void;
}

/** An input to the firmware. */
export type EmulatorInput = { apdu: Uint8Array } | { button: Button } | { cancel: true };

interface EmulatorEvents {
  /** Emitted before an input reaches the firmware. */
  input: [input: EmulatorInput];
  /** A screen is complete; emitted before the press or command that drew it is answered. */
  screen: [screen: Screen];
  /** A command arrived; `reply` settles with the exchange. */
  exchange: [apdu: Uint8Array, reply: Promise<Uint8Array>];
  /** A command was answered or, without a reply, its review began. */
  command: [reply: Uint8Array | undefined];
  /** The user decided the pending command. */
  decision: [reply: Uint8Array];
  crash: [error: FirmwareCrashError];
  stop: [];
}

/**
 * A signer in this process: the shipped firmware with a seed, a screen and two buttons. Instances share
 * nothing, so hundreds can run side by side.
 */
export class Emulator extends EventEmitter<EmulatorEvents> {
  readonly #platform: Platform;
  readonly #device: Device;
  readonly #exchanges: Exchanges;
  readonly #reports: ReportExchanges;
  #publishedCrashes = 0;
  #stopped = false;

  private constructor(module: WebAssembly.Module, platform: Platform) {
    super();
    this.setMaxListeners(0);
    this.#platform = platform;
    this.#device = new Device(module, platform);
    const onCommand = (reply: Uint8Array | undefined) => {
      this.#publish();
      this.emit('command', reply);
    };
    this.#exchanges = new Exchanges(this.#device, {
      onCommand,
      onCancel: () => this.emit('input', { cancel: true }),
      onCancelled: () => this.#publish(),
    });
    this.#reports = new ReportExchanges(this.#device, platform, {
      onInput: input => this.emit('input', input),
      onCommand,
      onExchange: (apdu, reply) => this.emit('exchange', apdu, reply),
      onCancelled: () => this.#publish(),
    });
    this.#publish();
  }

  /** Throws SeedError, FirmwareMissingError, or FirmwareCrashError if the firmware traps at boot. */
  static async start(options: EmulatorOptions = {}): Promise<Emulator> {
    const seed = options.seed === null ? undefined : parseSeed(options.seed ?? TEST_MNEMONIC);
    return new Emulator(options.module ?? (await loadFirmware()), new Platform(seed, options.settings));
  }

  /** Every trap so far, oldest first; the firmware restarts after each. */
  get crashes(): readonly FirmwareCrashError[] {
    return this.#device.crashes;
  }

  /** The 16 bytes of stored settings, or undefined if none were stored. */
  get settings(): Uint8Array | undefined {
    return this.#platform.settings?.slice();
  }

  /** The pixels and texts of the screen now. */
  get screen(): Screen {
    return this.#platform.screen;
  }

  /** Whether a command waits for the user. */
  get reviewing(): boolean {
    return this.#exchanges.pending || this.#reports.pending;
  }

  /** The texts on the screen: the title, then the lines of the value from top to bottom. */
  texts(): string[] {
    return textsOf(this.screen);
  }

  /** A copy of the 1024-byte frame: 64 rows of 16 bytes, most significant bit left. */
  frame(): Uint8Array {
    return this.screen.frame.slice();
  }

  /** See encodePng. */
  png(): Uint8Array {
    return encodePng(this.screen.frame);
  }

  /**
   * Sends one command and resolves with its reply, after a review once the user has decided; during a review
   * any other command is answered BUSY. A crash answers 6F00. Aborting `signal` during the review cancels it.
   */
  async exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (this.#stopped) throw new EmulatorStoppedError();
    signal?.throwIfAborted();
    this.emit('input', { apdu });
    const reply = this.#exchanges.start(apdu, signal);
    this.emit('exchange', apdu, reply);
    return reply;
  }

  /** A connection to this device; closing it cancels the review of its pending command. */
  transport(): EmulatorTransport {
    const link = new AbortController();
    return {
      exchange: (apdu, signal) =>
        this.exchange(apdu, signal ? AbortSignal.any([link.signal, signal]) : link.signal),
      close: () => link.abort(new DisconnectedError()),
    };
  }

  /**
   * Gives the firmware a report of 64 bytes, as a USB endpoint does; each report of the reply goes to
   * `deliver`, now or when the user has decided (docs/APDU.md#transports).
   */
  report(report: Uint8Array, deliver: (report: Uint8Array) => void): void {
    if (!this.#stopped) this.#reports.take(report, deliver);
  }

  /** The USB host went away: what it had begun is dropped. */
  disconnectReports(): void {
    if (!this.#stopped && !this.#exchanges.pending) this.#reports.disconnect();
  }

  /** The host went away: its review or unfinished upload is dropped. */
  cancel(): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.emit('input', { cancel: true });
    this.#exchanges.fail(new DisconnectedError());
    this.#reports.fail(new DisconnectedError());
    this.#device.cancel();
    this.#publish();
  }

  /** Presses and releases a button; throws FirmwareCrashError if the firmware traps. */
  press(button: Button): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.emit('input', { button });
    const crashes = this.crashes.length;
    const reply = this.#device.button(BUTTON_BITS[button]);
    if (reply) {
      if (!this.#reports.settle(reply)) this.#exchanges.settle(reply);
      this.emit('decision', reply);
    }
    this.#publish();
    if (this.crashes.length > crashes) throw this.crashes.at(-1)!;
  }

  /**
   * Resolves when a review is on the screen. Rejects immediately if a command is refused or the firmware
   * crashes, and with NoReviewError after `timeoutMs` (10 s by default).
   */
  waitForReview(timeoutMs = REVIEW_TIMEOUT_MS): Promise<void> {
    return awaitReview(this, timeoutMs);
  }

  /**
   * Waits for a review, reads it by pressing right up to the approve page, and stays there. The lines and
   * pages of a value are joined without a separator: a line break of the screen looks the same as a line
   * feed.
   */
  async review(): Promise<ReviewItem[]> {
    await this.waitForReview();
    return joinPages(walkToApprovePage(this).map(textsOf));
  }

  /** See expectReview. */
  expectReview(items: readonly ReviewItem[]): Promise<void> {
    return expectReview(this, items);
  }

  /** See expectSnapshots. */
  expectSnapshots(directory: string, options?: SnapshotOptions): Promise<void> {
    return expectSnapshots(this, directory, options);
  }

  /** Waits for a review, walks to its approve page and approves. */
  async approve(): Promise<void> {
    await this.waitForReview();
    walkToApprovePage(this);
    this.press('both');
  }

  /** Waits for a review, walks to its reject page and rejects. */
  async reject(): Promise<void> {
    await this.waitForReview();
    walkToRejectPage(this);
    this.press('both');
  }

  /**
   * Cuts the power and gives it back: what is not stored is lost, and a pending command rejects with
   * DisconnectedError.
   */
  restart(): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.#exchanges.fail(new DisconnectedError());
    this.#reports.disconnect();
    this.#device.restart();
    this.#publish();
  }

  /** Wipes the seed and the memory; a pending command rejects with EmulatorStoppedError. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#exchanges.fail(new EmulatorStoppedError());
    this.#reports.fail(new EmulatorStoppedError());
    this.#device.stop();
    this.#platform.wipe();
    this.emit('stop');
  }

  #publish(): void {
    while (this.#publishedCrashes < this.crashes.length) {
      this.emit('crash', this.crashes[this.#publishedCrashes++]!);
    }
    for (let screen = this.#platform.takeShown(); screen; screen = this.#platform.takeShown()) {
      this.emit('screen', screen);
    }
  }
}
