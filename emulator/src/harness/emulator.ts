import { EventEmitter } from 'node:events';
import { cleanText, type ReviewItem, TEST_MNEMONIC } from '@zbc-signer/chain';
import type { CoverageRecorder } from '../coverage/recorder.js';
import { BUTTON_BITS, type Button } from '../device/buttons.js';
import { Device } from '../device/device.js';
import type { EmulatorEvents } from '../device/events.js';
import { Exchanges } from '../device/exchange.js';
import { loadFirmware } from '../device/firmware.js';
import { Platform, type Screen, textsOf } from '../device/platform.js';
import { encodePng } from '../device/png.js';
import { ReportExchanges } from '../device/report-exchange.js';
import { parseSeed, type SeedKind, seedKindOf } from '../device/seed.js';
import {
  DisconnectedError,
  EmulatorError,
  EmulatorStoppedError,
  type FirmwareCrashError,
} from '../errors.js';
import { checkBytes, checkChoice } from '../options.js';
import { TraceKeeper } from '../recording/trace-keeper.js';
import type { Attendant } from './attendant.js';
import { checkEmulatorOptions, type EmulatorOptions, type EmulatorState } from './emulator-options.js';
import { expectReview } from './expect-review.js';
import { namingTrace } from './failure-trace.js';
import { awaitReview, walkToApprovePage, walkToRejectPage } from './review.js';
import { joinPages } from './review-pages.js';
import { reviewTimeoutMs } from './review-timeout.js';
import { expectSnapshots, type SnapshotOptions } from './snapshots.js';

const BUTTON_NAMES = Object.keys(BUTTON_BITS);
/** Names the directory of coverage for clients that cannot give an option. */
export const COVERAGE_VARIABLE = 'ZBC_SIGNER_COVERAGE';
/** How often a device with a keystore looks how long nobody has pressed. */
const IDLE_LOOK_MS = 1000;
/** Names the real device on which tests run. */
const DEVICE_VARIABLE = 'ZBC_SIGNER_DEVICE';

/** An in-process transport for the host library. */
export interface EmulatorTransport {
  /** One command, with its reply and status word; an abort ends a review. */
  exchange(apdu: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Ends a review; the transport is of no more use, the emulator goes on. */
  close(): void;
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
  #pressedAt = performance.now();
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #trace: TraceKeeper | undefined;

  private constructor(
    module: WebAssembly.Module,
    platform: Platform,
    /** Which seed the device has. */
    readonly seedKind: SeedKind,
    state: EmulatorState | undefined,
    isTraced: boolean,
    recorder: CoverageRecorder | undefined,
    private readonly attendant: Attendant | undefined,
  ) {
    super();
    this.setMaxListeners(0);
    this.#platform = platform;
    this.#device = new Device(module, platform, recorder && (memory => recorder.readMemory(memory)));
    recorder?.observe(this);
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
    if (state) this.#load(state);
    this.#publish();
    this.#trace = isTraced ? new TraceKeeper(this) : undefined;
    if (platform.keystore) this.#watchIdling();
  }

  /**
   * Throws UNKNOWN_OPTION, INVALID_INPUT, SeedError, FirmwareMissingError, FirmwareCrashError if the firmware
   * traps at boot, or TraceWriteError if ZBC_SIGNER_TRACE_DIRECTORY names a directory that cannot be written.
   * With a real device also TransportError, DEVICE_MISMATCH, DEVICE_TAKEN, DEVICE_UNSUITABLE, NOBODY_THERE
   * and NOT_ON_DEVICE.
   */
  static async start(options: EmulatorOptions = {}): Promise<Emulator> {
    checkEmulatorOptions(options);
    const { keystore, settings, state } = options;
    const { seed = keystore ? null : TEST_MNEMONIC, trace = state === undefined && !keystore } = options;
    const platform = new Platform(seed === null ? undefined : parseSeed(seed), settings, keystore);
    const recorder = options.module ? undefined : await openRecorder(options.coverage);
    const module = options.module ?? recorder?.module ?? loadFirmware();
    const attendant = await openAttendant(options);
    const emulator = new Emulator(module, platform, seedKindOf(seed), state, trace, recorder, attendant);
    await attendant?.attend(emulator).catch(async error => {
      await Promise.resolve(emulator.stop()).catch(() => undefined);
      throw error;
    });
    return emulator;
  }

  /** The state now, to continue from with `Emulator.start({ state })`. See Trace for one that is complete. */
  save(): EmulatorState {
    this.#expectNoDevice('saved states');
    if (this.#platform.keystore)
      throw new EmulatorError('NOT_WITH_KEYSTORE', 'a device with a keystore has no saved states');
    const { screen, settings, reviewing } = this;
    return { image: this.#device.save(), screen, settings, reviewing };
  }

  /**
   * Keeps the trace of this session and returns its path; undefined when there is none: after 10,000 steps
   * without ZBC_SIGNER_TRACE_DIRECTORY, or when it cannot be written.
   */
  keepTrace(): string | undefined {
    return this.#trace?.keep();
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
    checkBytes('a command', apdu);
    signal?.throwIfAborted();
    const wasReviewing = this.reviewing;
    this.emit('input', { apdu });
    const reply = this.#exchanges.start(apdu, signal);
    this.emit('exchange', apdu, reply);
    const opened = !wasReviewing && this.reviewing ? this.screen : undefined;
    return this.attendant?.exchange(apdu, reply, opened, signal) ?? reply;
  }

  /** A connection to this device; closing it cancels the review of its pending command. */
  transport(): EmulatorTransport {
    const link = new AbortController();
    return {
      exchange: (apdu, signal) => this.exchange(apdu, eitherSignal(link.signal, signal)),
      close: () => link.abort(new DisconnectedError()),
    };
  }

  /**
   * Gives the firmware a report of 64 bytes, as a USB endpoint does; each report of the reply goes to
   * `deliver`, now or when the user has decided (docs/APDU.md#transports). Endpoints of one device have
   * numbers of their own, from 0 to 32767.
   */
  report(report: Uint8Array, deliver: (report: Uint8Array) => void, endpoint = 0): void {
    this.#expectNoDevice('raw reports');
    if (!this.#stopped) this.#reports.take(report, endpoint, deliver);
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

  /**
   * Presses and releases a button. Throws INVALID_INPUT for one that there is not, FirmwareCrashError if the
   * firmware traps.
   */
  press(button: Button): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    checkChoice('the button', button, BUTTON_NAMES);
    if (this.attendant?.fault) throw this.attendant.fault;
    this.#pressedAt = performance.now();
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
   * Goes on as if nobody had pressed for so many seconds: after 1,800 a keystore forgets its seed. Without one
   * nothing happens.
   */
  idle(seconds: number): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.#device.idle(seconds);
    this.#publish();
  }

  /**
   * Resolves when a review is on the screen. Rejects immediately if a command is refused or the firmware
   * crashes, and with NoReviewError after `timeoutMs`, in which no person was asked for anything. Default:
   * 10 s, in Jest at most 80 % of the test's own limit, so that the test fails with this message.
   */
  waitForReview(timeoutMs = reviewTimeoutMs()): Promise<void> {
    return awaitReview(this, timeoutMs);
  }

  /**
   * Waits for a review, reads it by pressing right up to the approve page, and stays there. The lines and
   * pages of a value are joined without a separator: a line break of the screen looks the same as a line
   * feed.
   */
  review(): Promise<ReviewItem[]> {
    return this.#reviewed(() => joinPages(walkToApprovePage(this).map(textsOf)));
  }

  /**
   * Resolves when a real device has shown and answered all that this emulator did, as `approve` and the
   * expectations do at their end; at once without one. Rejects with DEVICE_MISMATCH, which names the page, or
   * TransportError.
   */
  async confirmed(): Promise<void> {
    await this.attendant?.settle();
  }

  /** Whether a real device has not yet shown and answered all that this emulator did. */
  get isCatchingUp(): boolean {
    return this.attendant?.isBehind ?? false;
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
  approve(): Promise<void> {
    return this.#reviewed(() => {
      walkToApprovePage(this);
      this.press('both');
    });
  }

  /** Waits for a review, walks to its reject page and rejects. */
  reject(): Promise<void> {
    return this.#reviewed(() => {
      walkToRejectPage(this);
      this.press('both');
    });
  }

  /**
   * Cuts the power and gives it back: what is not stored is lost, and a pending command rejects with
   * DisconnectedError.
   */
  restart(): void {
    if (this.#stopped) throw new EmulatorStoppedError();
    this.#reports.disconnect();
    this.emit('input', { restart: true });
    this.#exchanges.fail(new DisconnectedError());
    this.#device.restart();
    this.#publish();
    this.attendant?.look(this.screen);
  }

  /**
   * Wipes the seed and the memory; a pending command rejects with EmulatorStoppedError. With a real device it
   * resolves when that has caught up and is closed, its review dropped, and rejects with what nobody was told
   * before.
   */
  stop(): Promise<void> | void {
    if (this.#stopped) return;
    const wasReviewing = this.reviewing;
    this.#stopped = true;
    clearInterval(this.#idleTimer);
    this.#exchanges.fail(new EmulatorStoppedError());
    this.#reports.fail(new EmulatorStoppedError());
    this.#device.stop();
    this.#platform.wipe();
    this.emit('stop');
    return this.attendant?.stop(wasReviewing);
  }

  #watchIdling(): void {
    const look = () => this.idle(Math.floor((performance.now() - this.#pressedAt) / 1000));
    this.#idleTimer = setInterval(look, IDLE_LOOK_MS).unref();
  }

  /** Waits for a review; a failure names the trace. */
  #reviewed<Result>(act: () => Result): Promise<Result> {
    const acted = this.waitForReview().then(async () => {
      const result = act();
      await this.confirmed();
      return result;
    });
    return namingTrace(this, acted);
  }

  #expectNoDevice(what: string): void {
    if (this.attendant) throw new EmulatorError('NOT_ON_DEVICE', `a real device has no ${what}`);
  }

  #load({ image, screen, settings, reviewing }: EmulatorState): void {
    this.#device.load(image);
    this.#platform.load(screen, settings?.slice());
    if (reviewing) this.#exchanges.resume();
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

let isDeviceNamed = false;

/** The device of the environment, which nobody may remember to have set: said once. */
function nameDevice(): string {
  const device = process.env[DEVICE_VARIABLE] ?? '';
  if (device === '' || isDeviceNamed) return device;
  isDeviceNamed = true;
  process.stderr.write(`These tests run on the device ${cleanText(device)}, as ${DEVICE_VARIABLE} says.\n`);
  return device;
}

/** Loaded only when it is used. */
async function openAttendant(options: EmulatorOptions): Promise<Attendant | undefined> {
  const { device = nameDevice() } = options;
  if (device === null || device === '') return undefined;
  const { Attendant, checkDeviceOptions } = await import('./attendant.js');
  checkDeviceOptions(options);
  return Attendant.open(device);
}

/** Loaded only when it is used. */
async function openRecorder(
  directory = process.env[COVERAGE_VARIABLE] ?? '',
): Promise<CoverageRecorder | undefined> {
  if (directory === '') return undefined;
  const { CoverageRecorder } = await import('../coverage/recorder.js');
  return CoverageRecorder.open(directory);
}

/** Fires once one of the two has, and keeps both: what Node's AbortSignal.any makes does not. */
function eitherSignal(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  if (other === undefined) return one;
  const sources = [one, other];
  return Object.assign(AbortSignal.any(sources), { sources });
}
