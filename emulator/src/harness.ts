import { EventEmitter } from 'node:events';
import { TEST_MNEMONIC } from '../../chain/src/index.js';
import { BUTTON_BITS, type Button } from './buttons.js';
import { Device } from './device.js';
import { DisconnectedError, EmulatorStoppedError, type FirmwareCrashError } from './errors.js';
import { Exchanges } from './exchange.js';
import { expectReview } from './expect-review.js';
import { loadFirmware } from './firmware.js';
import { Platform, type Screen, textsOf } from './platform.js';
import { encodePng } from './png.js';
import { awaitReview, walkToApprovePage, walkToRejectPage } from './review.js';
import { joinPages, type ReviewItem } from './review-pages.js';
import { parseSeed } from './seed.js';
import { expectSnapshots, type SnapshotOptions } from './snapshots.js';
import './webassembly.js';

const REVIEW_TIMEOUT_MS = 10_000;

export interface EmulatorOptions {
  /** A BIP-39 mnemonic or `hex:` and 128 digits; `null` is a locked device; by default the well-known test mnemonic. */
  seed?: string | null | undefined;
  /** The 16 stored bytes that the firmware finds when it starts. */
  settings?: Uint8Array | undefined;
  /** Another firmware than the shipped one, for tests. */
  module?: WebAssembly.Module | undefined;
}

/** What the host library calls a transport, within this process. */
export interface EmulatorTransport {
  exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  close(): void;
}

/** What reaches the firmware from outside. */
export type EmulatorInput = { apdu: Uint8Array } | { button: Button } | { cancel: true };

interface EmulatorEvents {
  /** Something is about to reach the firmware. */
  input: [input: EmulatorInput];
  /** A screen was completed; emitted before the press or command that drew it is answered. */
  screen: [screen: Screen];
  /** A command has come; `reply` settles as the exchange does. */
  exchange: [apdu: Uint8Array, reply: Promise<Uint8Array>];
  /** A command was answered or, with no reply, its review began. */
  command: [reply: Uint8Array | undefined];
  /** A press decided the pending command. */
  decision: [reply: Uint8Array];
  crash: [error: FirmwareCrashError];
  stop: [];
}

/**
 * A signer in this process: the shipped firmware with a seed, a screen and two buttons. Emulators share nothing, so
 * hundreds can run side by side.
 */
export class Emulator extends EventEmitter<EmulatorEvents> {
  readonly #platform: Platform;
  readonly #device: Device;
  readonly #exchanges: Exchanges;
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
    this.#publish();
  }

  /** Throws SeedError, FirmwareMissingError, or FirmwareCrashError when the firmware traps at boot. */
  static async start(options: EmulatorOptions = {}): Promise<Emulator> {
    const seed = options.seed === null ? undefined : parseSeed(options.seed ?? TEST_MNEMONIC);
    return new Emulator(options.module ?? (await loadFirmware()), new Platform(seed, options.settings));
  }

  /** Every trap so far, oldest first; after one the firmware runs afresh. */
  get crashes(): readonly FirmwareCrashError[] {
    return this.#device.crashes;
  }

  /** What the firmware has stored, or undefined if nothing. */
  get settings(): Uint8Array | undefined {
    return this.#platform.settings?.slice();
  }

  get screen(): Screen {
    return this.#platform.screen;
  }

  /** Whether a command waits for the user. */
  get reviewing(): boolean {
    return this.#exchanges.pending;
  }

  /** The texts on the screen: the title, then the lines of the value from top to bottom. */
  texts(): string[] {
    return textsOf(this.screen);
  }

  /** 1024 bytes: 64 rows of 16, most significant bit left. */
  frame(): Uint8Array {
    return this.screen.frame.slice();
  }

  /** See encodePng. */
  png(): Uint8Array {
    return encodePng(this.screen.frame);
  }

  /**
   * Sends one command and resolves with its reply, which for a review comes when the user has decided; meanwhile another
   * command gets the firmware's BUSY. A crash answers 6F00. Aborting `signal` while the user decides drops the review.
   */
  async exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (this.#stopped) throw new EmulatorStoppedError();
    signal?.throwIfAborted();
    this.emit('input', { apdu });
    const reply = this.#exchanges.start(apdu, signal);
    this.emit('exchange', apdu, reply);
    return reply;
  }

  /** A host's link to this device; closing it while a command of its is pending drops that review. */
  transport(): EmulatorTransport {
    const link = new AbortController();
    return {
      exchange: (apdu, signal) =>
        this.exchange(apdu, signal ? AbortSignal.any([link.signal, signal]) : link.signal),
      close: () => link.abort(new DisconnectedError()),
    };
  }

  /** Presses and releases; throws FirmwareCrashError if the firmware traps on it. */
  press(button: Button): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.emit('input', { button });
    const crashes = this.crashes.length;
    const reply = this.#device.button(BUTTON_BITS[button]);
    if (reply) {
      this.#exchanges.settle(reply);
      this.emit('decision', reply);
    }
    this.#publish();
    if (this.crashes.length > crashes) throw this.crashes.at(-1)!;
  }

  /**
   * Resolves when a review is on the screen. Rejects at once when a command is refused or the firmware crashes meanwhile,
   * and with NoReviewError after `timeoutMs`, so that a test never hangs.
   */
  waitForReview(timeoutMs = REVIEW_TIMEOUT_MS): Promise<void> {
    return awaitReview(this, timeoutMs);
  }

  /**
   * Waits for a review, reads it by pressing right from the page shown to the approve page, and stays there. A value's
   * lines and pages are joined with nothing between them: where the screen broke a line cannot be told from a line feed.
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
  expectSnapshots(folder: string, options?: SnapshotOptions): Promise<void> {
    return expectSnapshots(this, folder, options);
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

  /** Forgets the seed and wipes the memory; what is pending rejects with EmulatorStoppedError. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#exchanges.fail(new EmulatorStoppedError());
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
