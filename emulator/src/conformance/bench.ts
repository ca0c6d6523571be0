import { randomBytes } from 'node:crypto';
import { statusWordOf } from '@zbc-signer/chain';
import type { Transport } from '@zbc-signer/host';
import { FLAG_LOCKED } from '@zbc-signer/protocol/commands';
import { BUSY } from '@zbc-signer/protocol/status-words';
import type { Button } from '../device/buttons.js';
import type { KeystoreOptions } from '../device/keystore/keystore.js';
import { Vault } from '../device/keystore/vault.js';
import { type Screen, textsOf } from '../device/platform.js';
import { EmulatorError, NoReviewError } from '../errors.js';
import { Emulator } from '../harness/emulator.js';
import type { Panel, SignerUnderTest, Step, WrongScreen } from '../real-device/signer-under-test.js';
import { recordSteps } from '../real-device/step-recorder.js';
import { withLimit } from '../real-device/time-limit.js';
import { restoreSeed, unlockSeed } from '../review/seed-entry.js';
import { GET_APP_VERSION } from './commands.js';
import { areAllDigits, digitOf, isPinPage, isSamePinPage, type PinOptions, PinReader } from './pin-pages.js';

/** One requirement of a signer. */
export interface Check {
  name: string;
  /** Resolves if the signer conforms; throws Nonconformity, NotTested or an error of the transport. */
  run(bench: Bench): Promise<void>;
}

/** Checks of one kind. */
export interface CheckGroup {
  name: string;
  /** Whether the check applies to the signer; absent: always. `bench` is undefined before a run. */
  applies?(signer: SignerUnderTest, bench?: Bench): boolean;
  checks: readonly Check[];
}

/** The signer violates a requirement. */
export class Nonconformity extends Error {
  override readonly name = 'Nonconformity';
  constructor(
    message: string,
    readonly screen?: WrongScreen,
  ) {
    super(message);
  }
}

/** The check cannot be made with this signer. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
}

/** Time limit for an answer without a decision: deriving a key takes longest. */
const ANSWER_MS = 10_000;
/** Time limit for a BUSY answer. A host asks after two seconds, and gives up after two more. */
const BUSY_MS = 1000;
const BUSY_TRIES = 3;
/** Time limit for the start after a power cut. */
const START_MS = 20_000;
const RETRY_MS = 250;
/** Offset of the flags in the reply to GET_APP_VERSION. */
const FLAGS_AT = 4;
/** The PIN of the seed in a vault. */
export const PIN = '314159';
const MENU_PAGES = 12;
/** Bytes of noise, more than the reference uses. */
const NOISE_LENGTH = 1 << 20;

/** A review open on both the signer and the reference. */
interface Review {
  reply: Promise<Uint8Array>;
  expected: Promise<Uint8Array>;
}

/**
 * Compares the signer under test with the emulator, which is the reference: both get the same commands and
 * presses, and must answer and show the same.
 */
export class Bench {
  #transport: Transport;

  /** Set if the signer, and therefore the reference, has a keystore. */
  #hasKeystore = false;
  #hasVault = false;
  readonly #pinReader = new PinReader();
  /** Orders in which the digits of a PIN were shown. */
  readonly pinOrders = new Set<string>();

  private constructor(
    private readonly signer: SignerUnderTest,
    private readonly mnemonic: string,
    private reference: Emulator,
  ) {
    this.#transport = signer.connect();
  }

  /** `mnemonic` is the seed of the reference. */
  static async open(signer: SignerUnderTest, mnemonic: string): Promise<Bench> {
    return new Bench(signer, mnemonic, await Emulator.start({ seed: mnemonic, device: null }));
  }

  /** The screen of the reference: its menu, at the start of each check. */
  get screen(): Screen {
    return this.reference.screen;
  }

  /** Whether the signer keeps its seed under a PIN, which it asked for when the words were entered. */
  get hasVault(): boolean {
    return this.#hasVault;
  }

  /**
   * Begins a check: drops the state of the previous one on both devices. A locked signer has a keystore,
   * which needs the words or the PIN.
   */
  async begin(): Promise<void> {
    this.reference.restart();
    await this.#transport.close();
    this.#transport = this.signer.connect();
    if (isLocked(await this.#settle())) await this.#open();
    else if (this.#hasKeystore) this.#openOn(this.reference);
  }

  /** Opens the seed on both devices if the signer has none open. */
  async #open(): Promise<void> {
    if (!this.#hasKeystore) return this.#meetKeystore();
    this.reference.restart();
    return this.signer.hands.see ? this.follow(reference => this.#openOn(reference)) : this.#askForWords();
  }

  /** Asks a person to enter the words, without comparing the pages. */
  async #askForWords(): Promise<void> {
    await this.signer.hands.enterWords?.(this.mnemonic);
    this.#openOn(this.reference);
  }

  #openOn(reference: Emulator): void {
    if (reference.texts()[1] === 'is locked') unlockSeed(reference, PIN);
    else restoreSeed(reference, this.mnemonic, this.#hasVault ? { pin: PIN } : {});
  }

  /** Enters the words for the first time: a signer that then asks for a PIN has a vault. */
  async #meetKeystore(): Promise<void> {
    await this.#referTo({});
    if (!this.signer.hands.see) return this.#askForWords();
    await this.look();
    const without = this.reference;
    const withVault = await Emulator.start({ keystore: emptyVault(), device: null });
    const steps = await stepsOf(withVault, () => restoreSeed(withVault, this.mnemonic, { pin: PIN }));
    const asked = steps.findIndex(({ screen }) => isPinPage(screen));
    const { press, screen } = steps[asked]!;
    await this.#walk(steps.slice(0, asked));
    this.#openOn(without);
    const shown = await this.#see(
      press,
      frame => isSame(frame, without.screen) || isSamePinPage(frame, screen),
    );
    this.#hasVault = isSamePinPage(shown, screen);
    this.reference = this.#hasVault ? withVault : without;
    (this.#hasVault ? without : withVault).stop();
    if (this.#hasVault) await this.#walk([{ screen }, ...steps.slice(asked + 1)]);
    else await this.look();
  }

  async #referTo(keystore: KeystoreOptions): Promise<void> {
    this.reference.stop();
    this.reference = await Emulator.start({ keystore, device: null });
    this.#hasKeystore = true;
  }

  /** Sends a command that needs no decision; resolves with the signer's answer. */
  async exchange(command: Uint8Array, transport = this.#transport): Promise<Uint8Array> {
    return withLimit(transport.exchange(Buffer.from(command)), ANSWER_MS, tooLate('no reply'));
  }

  /**
   * Sends commands to both, whose answers must be equal; resolves with the review if the last one opens it.
   */
  async send(commands: readonly Uint8Array[]): Promise<Review | undefined> {
    for (const command of commands) {
      const expected = this.reference.exchange(command);
      if (this.reference.reviewing) return this.#openReview(command, expected);
      expectReply(await this.exchange(command), await expected);
    }
    return undefined;
  }

  /** Sends commands that must not open a review. */
  async sendAnswered(commands: readonly Uint8Array[]): Promise<void> {
    if (await this.send(commands))
      throw new EmulatorError('REVIEW_MISMATCH', 'the reference opened a review');
  }

  /** Sends commands that must open a review, and compares its first page. */
  async open(commands: readonly Uint8Array[]): Promise<Review> {
    const review = await this.send(commands);
    if (!review) throw new NoReviewError('the reference opened no review');
    await this.look();
    return review;
  }

  async #openReview(command: Uint8Array, expected: Promise<Uint8Array>): Promise<Review> {
    expected.catch(() => undefined);
    const reply = this.#transport.exchange(Buffer.from(command));
    reply.catch(() => undefined);
    return { reply, expected };
  }

  /** Presses through the review to the decision, and compares the replies; resolves with the signer's. */
  async decide(review: Review, decision: 'approve' | 'reject'): Promise<Uint8Array> {
    await this.follow(reference => reference[decision]());
    return this.expectDecided(review);
  }

  /** Compares the replies of a decided review; resolves with the signer's. */
  async expectDecided(review: Review): Promise<Uint8Array> {
    const reply = await withLimit(review.reply, ANSWER_MS, tooLate('no reply to the decision'));
    expectReply(reply, await review.expected);
    return reply;
  }

  /** Expects the display to show the screen of the reference. */
  async look(): Promise<void> {
    await this.#walk([{ screen: this.reference.screen }]);
  }

  /** Repeats on both devices the presses of `act`; compares every screen. */
  async follow(act: (reference: Emulator) => unknown): Promise<void> {
    await this.#walk(await stepsOf(this.reference, act));
  }

  /** Performs `misuse` on the panel, after which the display must show the reference's screen after `act`. */
  async misuse(misuse: (panel: Panel) => unknown, act?: (reference: Emulator) => unknown): Promise<void> {
    const { panel } = this.signer.hands;
    if (!panel) throw new NotTested('display and keys are not at this end');
    try {
      await misuse(panel);
    } finally {
      panel.answers = true;
    }
    await act?.(this.reference);
    await this.look();
  }

  /**
   * Expects a second connection to get the reference's answer, soon in at least one of three attempts,
   * because this machine may be delayed.
   */
  async expectBusy(command: Uint8Array): Promise<void> {
    const other = this.signer.connect();
    try {
      const expected = await this.reference.exchange(command);
      let soonest = Infinity;
      for (let tries = 0; tries < BUSY_TRIES && soonest > BUSY_MS; tries += 1) {
        const start = performance.now();
        const reply = await withLimit(
          other.exchange(Buffer.from(command)),
          ANSWER_MS,
          tooLate('no reply during a review'),
        );
        soonest = Math.min(soonest, performance.now() - start);
        expectReply(reply, expected);
      }
      if (soonest > BUSY_MS)
        throw new Nonconformity(`BUSY took ${Math.round(soonest)} ms, at most ${BUSY_MS} are allowed`);
    } finally {
      await other.close();
    }
  }

  /** Reconnects the host. */
  async disconnect(): Promise<void> {
    await this.begin();
  }

  /** Cuts the power of both, and opens the seed again; returns false if the signer's cannot be cut. */
  async cut(): Promise<boolean> {
    if (!(await this.lock())) return false;
    if (this.#hasKeystore) await this.#open();
    return true;
  }

  /**
   * Cuts the power of both; returns false if the signer's cannot be cut, or if a person would have to enter
   * the words again. A keystore then has no open seed.
   */
  async lock(): Promise<boolean> {
    if (this.#hasKeystore && this.signer.hands.enterWords) return false;
    if (!(await this.signer.hands.cut())) return false;
    this.reference.restart();
    // The old connection is closed only now: closing it would cancel a review that the signer should have
    // forgotten.
    const before = this.#transport;
    this.#transport = this.signer.connect();
    try {
      await this.#settle();
    } finally {
      await before.close();
    }
    return true;
  }

  /** Forgets the seed of both, stores it again with a power cut in between, and opens it. */
  async cutWhileStoring(): Promise<void> {
    await this.follow(forgetSeed);
    const empty = this.screen;
    const steps = await stepsOf(this.reference, () => this.#openOn(this.reference));
    const last = steps.length - 1;
    const options = await this.#walkBySight(steps, last);
    await this.#see(buttonOf(options!, digitOf(steps, last)), () => true);
    if (!(await this.lock())) throw new NotTested("the signer's power cannot be cut");
    const locked = this.screen;
    const shown = await this.#see(undefined, frame => isSame(frame, empty) || isSame(frame, locked));
    if (isSame(shown, empty)) await this.#referTo(emptyVault());
    await this.#open();
  }

  /** Stops the reference and closes the connection to the signer under test. */
  async close(): Promise<void> {
    this.reference.stop();
    await this.#transport.close();
  }

  async #walk(steps: readonly Step[]): Promise<void> {
    if (steps.some(({ screen }) => isPinPage(screen))) {
      await this.#walkBySight(steps);
      return;
    }
    const wrong = await this.signer.hands.follow(steps);
    if (wrong) throw new Nonconformity(wrong.complaint, wrong);
  }

  /**
   * Presses the buttons for the intended digits, wherever the signer shows them, for `count` steps. Resolves
   * with the final meaning of the buttons, if these are digits.
   */
  async #walkBySight(steps: readonly Step[], count = steps.length): Promise<PinOptions | undefined> {
    let options: PinOptions | undefined;
    for (const [index, step] of steps.slice(0, count).entries()) {
      const button = options ? buttonOf(options, digitOf(steps, index)) : step.press;
      const { screen } = step;
      options = isPinPage(screen) ? await this.#seePinPage(button, screen) : undefined;
      if (!options) await this.#walk([button === undefined ? { screen } : { press: button, screen }]);
    }
    return options;
  }

  async #seePinPage(press: Button | undefined, screen: Screen): Promise<PinOptions> {
    const shown = await this.#see(press, frame => isSamePinPage(frame, screen));
    const options = isSamePinPage(shown, screen) ? this.#pinReader.read(shown, screen) : undefined;
    if (!options) {
      const complaint = `the display does not show "${textsOf(screen)[0]}" with digits`;
      throw new Nonconformity(complaint, { complaint, expected: screen.frame, shown });
    }
    if (areAllDigits(options)) this.pinOrders.add([...options.values()].join(''));
    return options;
  }

  async #see(press: Button | undefined, isMeant: (frame: Uint8Array) => boolean): Promise<Uint8Array> {
    const { see } = this.signer.hands;
    if (!see) throw new NotTested('only a person can read the display');
    return see.call(this.signer.hands, press, isMeant);
  }

  /**
   * Waits for an answer of the signer, which may still be dropping a review or starting. Returns its
   * versions.
   */
  async #settle(): Promise<Uint8Array> {
    const end = performance.now() + START_MS;
    for (;;) {
      const outcome = await this.exchange(GET_APP_VERSION).then(
        reply =>
          isBusy(reply)
            ? new Nonconformity('a review stays open when its host or the power has gone')
            : reply,
        (error: Error) => error,
      );
      if (!(outcome instanceof Error)) return outcome;
      if (performance.now() > end) throw outcome;
      await pause(RETRY_MS);
    }
  }
}

/** The presses of an act, with the screen after each. */
async function stepsOf(reference: Emulator, act: (reference: Emulator) => unknown): Promise<Step[]> {
  const steps: Step[] = [];
  const stop = recordSteps(reference, step => steps.push(step));
  await act(reference);
  stop();
  return steps;
}

const emptyVault = (): KeystoreOptions => ({ noise: randomBytes(NOISE_LENGTH), vault: new Vault() });

const isSame = (frame: Uint8Array, screen: Screen) => Buffer.compare(frame, screen.frame) === 0;

/** Starts at any page of the signer's menu. */
function forgetSeed(reference: Emulator): void {
  for (const title of ['Quit', 'Forget seed']) {
    for (let presses = 0; reference.texts()[0] !== title && presses < MENU_PAGES; presses++)
      reference.press('right');
    reference.press('both');
  }
  reference.press('both');
}

/** The button for a digit. */
function buttonOf(options: PinOptions, digit: string): Button {
  const found = [...options].find(([, digits]) => digits.includes(digit));
  if (!found) throw new Nonconformity(`no button is shown for the digit ${digit}`);
  return found[0];
}

/** Reads the flags of GET_APP_VERSION (docs/APDU.md#get_app_version). */
function isLocked(versions: Uint8Array): boolean {
  return ((versions[FLAGS_AT] ?? 0) & FLAG_LOCKED) !== 0;
}

function isBusy(reply: Uint8Array): boolean {
  return statusWordOf(reply) === BUSY;
}

function expectReply(reply: Uint8Array, expected: Uint8Array): void {
  const [shown, wanted] = [reply, expected].map(bytes => Buffer.from(bytes).toString('hex'));
  if (shown !== wanted) throw new Nonconformity(`answered ${shown || 'nothing'}, expected ${wanted}`);
}

function tooLate(what: string): (seconds: number) => Nonconformity {
  return seconds => new Nonconformity(`${what} within ${seconds} s`);
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
