import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ReviewItem, TEST_MNEMONIC } from '@zbc-signer/chain';
import type { Button } from '../device/buttons.js';
import { loadFirmware, loadKeystore } from '../device/firmware.js';
import { Platform } from '../device/platform.js';
import { encodePng } from '../device/png.js';
import { parseSeed, seedKindOf } from '../device/seed.js';
import { EmulatorError } from '../errors.js';
import { expectReview } from '../review/expect-review.js';
import { hasFailed, keepFailureTrace } from '../review/failure-trace.js';
import {
  approveReview,
  awaitReview,
  type ReviewedEmulator,
  readReview,
  rejectReview,
} from '../review/review.js';
import { hasTestFailed, nameTest } from '../running-test.js';
import { expectSnapshots, type SnapshotOptions } from '../snapshots/expect-snapshots.js';
import { type SessionFailure, TraceKeeper } from '../trace/trace-keeper.js';
import { openDeviceFollower, openRecorder } from './companions.js';
import type { DeviceFollower } from './device-follower.js';
import { EmulatedSigner, type SignerParts } from './emulated-signer.js';
import { checkEmulatorOptions, type EmulatorOptions } from './emulator-options.js';
import { PendingCalls } from './pending-calls.js';

/**
 * A signer in this process: the shipped firmware with a seed, a screen and two buttons. Instances share
 * nothing, so hundreds can run side by side.
 */
export class Emulator extends EmulatedSigner implements ReviewedEmulator {
  readonly #calls = new PendingCalls(() => this.reviewing);
  #stopped: Promise<void> | undefined;
  #isStopping = false;
  readonly #trace: TraceKeeper | undefined;
  readonly #follower: DeviceFollower | undefined;

  private constructor(parts: SignerParts, isTraced: boolean, follower: DeviceFollower | undefined) {
    super(parts);
    this.#trace = isTraced ? new TraceKeeper(this) : undefined;
    this.#follower = follower;
    let last: Uint8Array = new Uint8Array();
    this.on('input', input => {
      if ('apdu' in input) last = input.apdu;
    });
    this.on('command', reply => {
      if (!reply) this.#calls.noteCommand(last, 'client');
    });
  }

  /**
   * Throws UNKNOWN_OPTION, INVALID_INPUT, BAD_SEED or FIRMWARE_MISSING. Throws FirmwareCrashError if the
   * firmware traps at boot, and TraceWriteError if ZBC_SIGNER_TRACE_DIRECTORY names a directory that cannot
   * be written to. With a real device, also throws TransportError, DEVICE_MISMATCH, DEVICE_TAKEN,
   * DEVICE_UNSUITABLE, NO_TERMINAL and NOT_ON_DEVICE.
   */
  static async start(options: EmulatorOptions = {}): Promise<Emulator> {
    checkEmulatorOptions(options);
    const { keystore, settings } = options;
    const { seed = keystore ? null : TEST_MNEMONIC, trace = !keystore } = options;
    const board = keystore && { ...keystore, module: loadKeystore() };
    const platform = new Platform(seed === null ? undefined : parseSeed(seed), settings, board);
    const recorder = await openRecorder(options.coverage);
    const module = options.module ?? loadFirmware();
    const follower = await openDeviceFollower(options);
    const parts = { module, platform, seedKind: seedKindOf(seed), recorder };
    const emulator = new Emulator(parts, trace, follower);
    await follower?.follow(emulator).catch(async error => {
      await emulator.stop().catch(() => undefined);
      throw error;
    });
    return emulator;
  }

  /**
   * Writes the trace of this session, with its failure, into a file, and returns the path of the file.
   * Returns undefined if the session is not traced or the file cannot be written. Without
   * ZBC_SIGNER_TRACE_DIRECTORY, a session of more than 10,000 steps is not traced.
   */
  keepTrace(failure?: SessionFailure): string | undefined {
    return this.#trace?.keep(failure && { test: nameTest(), ...failure });
  }

  /** The screen as a PNG, see encodePng. */
  png(): Uint8Array {
    return encodePng(this.screen.frame);
  }

  protected override send(apdu: Uint8Array, signal?: AbortSignal, channel?: number): Promise<Uint8Array> {
    if (this.#isStopping) return this.#calls.leave(apdu);
    const wasReviewing = this.reviewing;
    const reply = super.send(apdu, signal, channel);
    const opened = !wasReviewing && this.reviewing ? this.screen : undefined;
    if (opened) this.#calls.noteCommand(apdu, 'process');
    return this.#follower?.exchange(apdu, reply, opened, signal) ?? reply;
  }

  override report(report: Uint8Array, deliver: (report: Uint8Array) => void, endpoint = 0): void {
    this.#expectNoDevice('raw reports');
    super.report(report, deliver, endpoint);
  }

  override press(button: Button): void {
    if (this.#follower?.fault) throw this.#follower.fault;
    super.press(button);
  }

  override restart(): void {
    super.restart();
    this.#follower?.look(this.screen);
  }

  /**
   * Wipes the seed and the memory. Pending calls never settle, because possibly nobody awaits them any more.
   * Instead, the promise of `stop` rejects with the error STILL_PENDING, which names the pending call, unless the
   * test failed before. To leave a review on purpose, call `cancel` first.
   *
   * With a real device, the promise resolves when the device has caught up, its review is dropped and it is
   * closed. It rejects with a fault of the device that was not yet reported.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop(this.reviewing, this.texts());
    return this.#stopped;
  }

  #stop(isReviewing: boolean, texts: readonly string[]): Promise<void> {
    this.#isStopping = true;
    this.end();
    // A call that nobody awaits may send more commands.
    const left = nextTurn().then(() => {
      this.#isStopping = false;
      if (hasFailed(this) || hasTestFailed()) return;
      const fault = this.#calls.fault(texts, isReviewing, failure => keepFailureTrace(this, failure));
      if (fault) throw fault;
    });
    // Possibly nobody awaits the result of `stop` either, and an unhandled rejection would end the process.
    left.catch(() => undefined);
    if (!this.#follower) return left;
    return this.#follower.stop(isReviewing).then(() => left);
  }

  /**
   * Resolves once a review is on the screen. Rejects immediately if a command is refused or the firmware
   * crashes. Rejects with NoReviewError after `timeoutMs`, which does not include the time that a person
   * needs for presses. Default: 10 s, but in Jest at most 80 % of the test's time limit, so that the test
   * fails with this message.
   */
  waitForReview(timeoutMs?: number): Promise<void> {
    return this.#calls.track('emulator.waitForReview()', () => awaitReview(this, timeoutMs));
  }

  /**
   * Waits for a review, reads it by pressing right up to the approve page, and stays there. The lines and
   * pages of a value are joined without a separator, because a line break of the screen looks the same as a
   * line feed in the value.
   */
  review(): Promise<ReviewItem[]> {
    return this.#calls.track('emulator.review()', () => readReview(this));
  }

  /**
   * Resolves once a real device has shown the same screens and sent the same replies as this emulator. The
   * methods `approve` and `reject` and the expectations wait for this at their end. Without a device, it
   * resolves at once. Rejects with DEVICE_MISMATCH, whose message names the page, or with TransportError.
   */
  async confirmed(): Promise<void> {
    await this.#follower?.settle();
  }

  /** Whether a real device has not yet repeated all actions of this emulator. */
  get isCatchingUp(): boolean {
    return this.#follower?.isBehind ?? false;
  }

  /** See expectReview. */
  expectReview(items: readonly ReviewItem[]): Promise<void> {
    return this.#calls.track('emulator.expectReview(…)', () => expectReview(this, items));
  }

  /** See expectSnapshots. */
  expectSnapshots(directory: string, options?: SnapshotOptions): Promise<void> {
    return this.#calls.track('emulator.expectSnapshots(…)', () => expectSnapshots(this, directory, options));
  }

  /** Waits for a review, walks to its approve page and approves. */
  approve(): Promise<void> {
    return this.#calls.track('emulator.approve()', () => approveReview(this));
  }

  /** Waits for a review, walks to its reject page and rejects. */
  reject(): Promise<void> {
    return this.#calls.track('emulator.reject()', () => rejectReview(this));
  }

  #expectNoDevice(what: string): void {
    if (this.#follower) throw new EmulatorError('NOT_ON_DEVICE', `a real device does not support ${what}`);
  }
}
