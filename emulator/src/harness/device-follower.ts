import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  FLAG_CONTACTS_ONLY,
  FLAG_LOCKED,
  FLAG_REFUSES_UNKNOWN_CHAINS,
  FLAGS_AT,
} from '@zbc-signer/protocol/commands';
import { GET_APP_VERSION, getPublicKey } from '../commands.js';
import type { EmulatorEvents } from '../device/events.js';
import { type Screen, textsOf } from '../device/platform.js';
import { EmulatorError, EmulatorStoppedError } from '../errors.js';
import type { RealDevice } from '../real-device/open.js';
import { OpenReview } from '../real-device/open-review.js';
import { SignerLink, shownReply } from '../real-device/signer-link.js';
import type { ScreenStep, WrongScreen } from '../real-device/signer-under-test.js';
import { followSteps, recordSteps } from '../real-device/signer-under-test.js';
import type { TerminalUser } from '../real-device/user.js';
import { addNote, attachScreenFault } from '../review/failure-trace.js';
import { describeUnapproved } from '../review/unapproved-reply.js';
import { nameTest } from '../running-test.js';
import type { SessionFailure } from '../trace/trace-keeper.js';

const SUBJECT = 'the device';
const STILL_OPEN = 'a review is still open on the device: reject it there';
/** Time for the device to drop its review after Ctrl-C. */
const INTERRUPTION_MS = 2000;

/** The part of an Emulator that a device follows. */
interface FollowedEmulator extends EventEmitter<EmulatorEvents> {
  readonly screen: Screen;
  exchange(apdu: Uint8Array): Promise<Uint8Array>;
  keepTrace(failure?: SessionFailure): string | undefined;
}

/** A command on the device that waits for the user. */
class FollowedReview extends OpenReview {
  /** Set if the connection of the command is dropped on purpose. */
  isDropped = false;

  constructor(
    readonly link: AbortController,
    reply: Promise<Uint8Array>,
    /** Resolves with the device's answer if it equals the emulator's; otherwise rejects. */
    readonly compared: Promise<Uint8Array>,
  ) {
    super(SUBJECT, reply);
  }
}

/** Resolves once the device of the previous follower is closed. */
export let closing: Promise<unknown> = Promise.resolve();

/**
 * A real device that is tested together with an emulator. It gets the same commands, and the presses on the
 * emulator are repeated on its buttons, in the same order. It must show the same screens and send the same
 * replies. At the first difference the device no longer follows the emulator, and the review on it is
 * dropped.
 */
export class DeviceFollower {
  readonly #link: SignerLink;
  #done: Promise<void> = Promise.resolve();
  /** Number of pending actions. */
  #waiting = 0;
  /** The last steps, if no other action was queued after them. */
  #batch: ScreenStep[] | undefined;
  /** Frames compared in this review. */
  readonly #seen = new Set<string>();
  #review: FollowedReview | undefined;
  #emulator: FollowedEmulator | undefined;
  /** Number of inputs of the emulator, and of the last of them that the device has repeated. */
  #inputs = 0;
  #repeated = 0;
  #fault: Error | undefined;
  #stopped: Promise<void> | undefined;
  /** Functions that reject the commands that have no answer yet. */
  readonly #unanswered = new Set<(reason: Error) => void>();
  #isReported = false;
  /** Whether the last command came from another host than the unfinished upload. */
  #isElsewhere = false;
  #stopRecording: () => void = () => undefined;
  #test: string | undefined;

  constructor(
    private readonly device: RealDevice,
    private readonly user: TerminalUser | undefined,
    /** Aborted once the device no longer follows the emulator. */
    private readonly ended: AbortController,
    private readonly release: () => void,
  ) {
    this.#link = new SignerLink(device.signer, SUBJECT, mismatch, STILL_OPEN);
  }

  /** Why the device no longer follows the emulator. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /** Whether the device lags behind the emulator. */
  get isBehind(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Begins to follow the emulator. Throws DEVICE_MISMATCH if the device has another firmware, seed or
   * settings, and TransportError if there is no device.
   */
  async follow(emulator: FollowedEmulator): Promise<void> {
    this.#emulator = emulator;
    emulator.on('input', () => this.#inputs++);
    this.#stopRecording = recordSteps(emulator, step => this.#take(step));
    emulator
      .on('input', input => {
        if ('apdu' in input) this.#isElsewhere = input.elsewhere === true;
        if ('cancel' in input) this.#cancel();
        if ('restart' in input) this.#cutPower();
      })
      .on('decision', () => this.#awaitDecision());
    this.#enqueue(async () => void (await this.#link.awaitAnswer(() => true)));
    await this.settle();
    await expectSame(differencesOf, () => emulator.exchange(GET_APP_VERSION));
    await expectSame(
      () => 'a seed other than the test mnemonic',
      () => emulator.exchange(getPublicKey(0)),
    );
  }

  /**
   * Sends a command to the device and resolves with its reply, which must equal the emulator's. `opened` is
   * the screen of the review that the command opened, if any.
   */
  exchange(
    apdu: Uint8Array,
    expected: Promise<Uint8Array>,
    opened: Screen | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const isElsewhere = this.#isElsewhere;
    const compared = new Promise<Uint8Array>((resolve, reject) => {
      expected.catch(reject);
      if (this.#fault) reject(this.#fault);
      this.#unanswered.add(reject);
      this.#enqueue(async () => {
        const reply = opened ? this.#open(apdu, expected) : this.#ask(apdu, expected, isElsewhere, signal);
        const fail = (error: Error) => {
          // A command that `stop` ends stays pending, as it does without a device.
          if (this.ended.signal.aborted && !this.#fault) return;
          this.#isReported = true;
          reject(error);
        };
        reply.then(resolve, fail).finally(() => this.#unanswered.delete(reject));
        if (!opened) await reply;
      });
    });
    compared.catch(() => undefined);
    if (opened) this.look(opened);
    return compared;
  }

  /** Expects the device to show this screen without a press. */
  look(screen: Screen): void {
    this.#take({ screen });
  }

  /**
   * Resolves when the device has repeated all actions without a difference; otherwise rejects with the fault.
   */
  async settle(): Promise<void> {
    for (let done: unknown; done !== this.#done; ) {
      done = this.#done;
      await this.#done;
    }
    if (!this.#fault) return;
    this.#isReported = true;
    throw this.#fault;
  }

  /** Lets the device catch up, or drops its review if one is open. Then closes the connection. */
  stop(isReviewing: boolean): Promise<void> {
    this.#stopped ??= this.#stop(isReviewing);
    closing = this.#stopped.catch(() => undefined);
    return this.#stopped;
  }

  async #stop(isReviewing: boolean): Promise<void> {
    this.#stopRecording();
    const wasReported = this.#isReported;
    if (!isReviewing) await this.settle().catch(() => undefined);
    try {
      await this.#end(new EmulatorStoppedError());
    } finally {
      this.release();
    }
    if (this.#fault && !wasReported) throw this.#fault;
  }

  /** Handles Ctrl-C like a terminal in its usual mode, after the device has dropped its review. */
  async interrupt(): Promise<void> {
    const limit = pause(INTERRUPTION_MS, undefined, { ref: false });
    await Promise.race([this.stop(true).catch(() => undefined), limit]);
    // The signal goes to every process of the terminal's foreground group.
    process.kill(process.platform === 'win32' ? process.pid : 0, 'SIGINT');
  }

  async #end(reason: Error): Promise<void> {
    this.ended.abort(reason);
    if (reason === this.#fault)
      for (const reject of this.#unanswered) {
        this.#isReported = true;
        reject(reason);
      }
    await this.#drop();
    await this.#link.transport.close();
  }

  #enqueue(work: () => Promise<void>): void {
    this.#batch = undefined;
    this.#waiting++;
    const inputs = this.#inputs;
    this.#done = this.#done.then(async () => {
      this.#repeated = inputs;
      if (!this.ended.signal.aborted) await work().catch(error => this.#fail(error));
      this.#waiting--;
    });
  }

  async #fail(error: Error): Promise<void> {
    if (this.ended.signal.aborted) return;
    this.#fault = error;
    if (error instanceof EmulatorError)
      addNote(this.#emulator!, attachScreenFault(error, { step: this.#repeated }));
    this.user?.say(`\n${error.message}`);
    await this.#end(error);
  }

  #take(step: ScreenStep): void {
    step.number = this.#inputs;
    if (this.#batch) {
      this.#batch.push(step);
      return;
    }
    const steps = [step];
    this.#enqueue(() => this.#follow(steps));
    this.#batch = steps;
  }

  async #follow(steps: readonly ScreenStep[]): Promise<void> {
    // Later steps form another batch.
    if (this.#batch === steps) this.#batch = undefined;
    this.#sayTest();
    const marked = steps.map(step => {
      const key = Buffer.from(step.screen.frame).toString('base64');
      const seen = this.#seen.has(key);
      this.#seen.add(key);
      return { ...step, seen };
    });
    const { controls } = this.device.signer;
    const wrong = await (this.#review?.follow(controls, marked, unapproved) ?? followSteps(controls, marked));
    if (wrong) throw attachPictures(mismatch(wrong.complaint), wrong);
  }

  /** Prints the name of the test, once. */
  #sayTest(): void {
    const test = nameTest();
    if (test === undefined || test === this.#test) return;
    this.#test = test;
    this.user?.say(`\n${test}`);
  }

  /** Sends a command that needs no decision. */
  async #ask(
    apdu: Uint8Array,
    expected: Promise<Uint8Array>,
    isElsewhere: boolean,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    // During a review, the command is sent over another connection, as from another host.
    const transport = this.#review || isElsewhere ? this.device.signer.connect() : this.#link.transport;
    try {
      return expectReply(await this.#link.ask(apdu, transport, signal), await expected);
    } finally {
      if (transport !== this.#link.transport) await transport.close();
    }
  }

  /** Sends a command that opens a review. */
  #open(apdu: Uint8Array, expected: Promise<Uint8Array>): Promise<Uint8Array> {
    this.#seen.clear();
    const link = new AbortController();
    const reply = this.#link.transport.exchange(Buffer.from(apdu), link.signal);
    const compared = reply.then(async bytes => {
      if (!review.isDeciding) throw unapproved(describeUnapproved(SUBJECT, bytes));
      return expectReply(bytes, await expected);
    });
    const review = new FollowedReview(link, reply, compared);
    this.#review = review;
    compared.catch(error => {
      if (!review.isDropped) void this.#fail(error);
    });
    return compared;
  }

  #awaitDecision(): void {
    this.#enqueue(async () => {
      const reply = this.#review?.compared;
      if (reply) await this.#link.inTime(reply, 'no reply to the decision');
      this.#review = undefined;
      this.#seen.clear();
    });
  }

  #cancel(): void {
    this.#enqueue(async () => {
      await this.#drop();
      await this.#link.awaitAnswer(() => true);
    });
  }

  #cutPower(): void {
    this.#enqueue(async () => {
      if (this.#review) this.#review.isDropped = true;
      if (!(await this.device.signer.controls.cutPower())) {
        throw new EmulatorError('NOT_ON_DEVICE', 'the power of the device was not cut');
      }
      this.#review = undefined;
      await this.#link.reconnect(() => this.ended.signal.aborted);
    });
  }

  /** Ends the review on the device, if any. */
  async #drop(): Promise<void> {
    const review = this.#review;
    this.#review = undefined;
    if (!review) return;
    review.isDropped = true;
    review.link.abort();
    await review.compared.catch(() => undefined);
  }
}

/** A difference in the first replies means that the device is unsuitable; the test has not begun. */
async function expectSame(
  describe: (difference: ReplyDifference) => string,
  exchange: () => Promise<unknown>,
): Promise<void> {
  await exchange().catch((error: Error) => {
    const isOther = error instanceof ReplyDifference;
    throw isOther ? mismatch(`the device has ${describe(error)}: ${error.message}`) : error;
  });
}

/** What differs in two replies to GET_APP_VERSION (docs/APDU.md#get_app_version). */
function differencesOf({ reply, expected }: ReplyDifference): string {
  const others = (bytes: Uint8Array) => hex(bytes.filter((_, at) => at !== FLAGS_AT));
  if (others(reply) !== others(expected)) return 'another firmware';
  const isSet = (bytes: Uint8Array, flag: number) => (bytes[FLAGS_AT]! & flag) !== 0;
  const differs = (flag: number) => isSet(reply, flag) !== isSet(expected, flag);
  const seeds = isSet(reply, FLAG_LOCKED)
    ? 'no open seed, but the emulator has one'
    : 'an open seed, but the emulator has none';
  const differences = [
    ...(differs(FLAG_REFUSES_UNKNOWN_CHAINS) ? ['another value of the setting Unknown chains'] : []),
    ...(differs(FLAG_CONTACTS_ONLY) ? ['another value of the setting Contacts only'] : []),
    ...(differs(FLAG_LOCKED) ? [seeds] : []),
  ];
  return differences.join(', and ') || 'another firmware';
}

function mismatch(message: string): EmulatorError {
  return new EmulatorError('DEVICE_MISMATCH', message);
}

/** The device gave its reply without a decision. */
function unapproved(message: string, wrong?: WrongScreen): EmulatorError {
  const error = new EmulatorError('SIGNED_EARLY', message);
  return wrong ? attachPictures(error, wrong) : error;
}

function attachPictures(error: EmulatorError, { step, shown }: WrongScreen): EmulatorError {
  const expected = { texts: textsOf(step.screen), frame: step.screen.frame };
  return attachScreenFault(error, { step: step.number, expected, shown });
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex') || 'nothing';

function expectReply(reply: Uint8Array, expected: Uint8Array): Uint8Array {
  if (hex(reply) === hex(expected)) return reply;
  throw new ReplyDifference(reply, expected);
}

class ReplyDifference extends EmulatorError {
  constructor(
    readonly reply: Uint8Array,
    readonly expected: Uint8Array,
  ) {
    super('DEVICE_MISMATCH', `the device answered ${shownReply(reply)}, expected ${shownReply(expected)}`);
  }
}
