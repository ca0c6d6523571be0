import { randomBytes } from 'node:crypto';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { FLAG_LOCKED, FLAGS_AT } from '@zbc-signer/protocol/commands';
import type { Button } from '../device/buttons.js';
import type { KeystoreOptions } from '../device/keystore/keystore.js';
import { Vault } from '../device/keystore/vault.js';
import { type Screen, textsOf } from '../device/platform.js';
import { EmulatorError, NoReviewError } from '../errors.js';
import { Emulator } from '../harness/emulator.js';
import { OpenReview } from '../real-device/open-review.js';
import { SignerLink, shownReply } from '../real-device/signer-link.js';
import type { Panel, ScreenStep, SignerUnderTest, WrongScreen } from '../real-device/signer-under-test.js';
import { followSteps, recordSteps } from '../real-device/signer-under-test.js';
import { restoreSeed, unlockSeed } from '../review/seed-entry.js';
import { areAllDigits, digitOf, isPinPage, isSamePinPage, type PinOptions, PinReader } from './pin-pages.js';

/** One requirement of a signer. */
export interface Check {
  name: string;
  /** Resolves if the signer conforms; throws Nonconformity, NotTested or an error of the transport. */
  run(bench: ConformanceBench): Promise<void>;
}

/** Checks of one kind. */
export interface CheckGroup {
  name: string;
  /** Whether the checks apply to the signer; if absent, they always do. `bench` is undefined before a run. */
  applies?(signer: SignerUnderTest, bench?: ConformanceBench): boolean;
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

/**
 * Time limit for a BUSY reply. During a review, the host library checks every two seconds that the signer
 * still answers, and waits at most two seconds for its reply.
 */
const BUSY_MS = 1000;
const BUSY_TRIES = 3;
/** The PIN that the checks set on a signer with a vault. */
export const PIN = '314159';
const MENU_PAGES = 12;
/** Bytes of noise, more than the reference uses. */
const NOISE_LENGTH = 1 << 20;

const SUBJECT = 'the signer';

/** A review open on both the signer and the reference. */
class Review extends OpenReview {
  constructor(
    reply: Promise<Uint8Array>,
    readonly expected: Promise<Uint8Array>,
  ) {
    super(SUBJECT, reply);
  }
}

/**
 * Compares the signer under test with the emulator, which is the reference. Both get the same commands and
 * presses, and must send the same replies and show the same screens.
 */
export class ConformanceBench {
  readonly #link: SignerLink;

  /** Set if the signer, and therefore the reference, has a keystore. */
  #hasKeystore = false;
  #hasVault = false;
  readonly #pinReader = new PinReader();
  #review: Review | undefined;
  /** Number of presses since the check began. */
  #presses = 0;
  /** Orders in which the digits of a PIN were shown. */
  readonly pinOrders = new Set<string>();

  private constructor(
    private readonly signer: SignerUnderTest,
    private readonly mnemonic: string,
    private reference: Emulator,
  ) {
    bindMembers(this);
    this.#link = new SignerLink(
      signer,
      SUBJECT,
      message => new Nonconformity(message),
      'a review is still open after its host disconnected or the power was cut',
    );
  }

  /** `mnemonic` is the seed of the reference. */
  static async open(signer: SignerUnderTest, mnemonic: string): Promise<ConformanceBench> {
    return new ConformanceBench(signer, mnemonic, await Emulator.start({ seed: mnemonic, device: null }));
  }

  /** The screen of the reference. At the start of each check, it shows the menu. */
  get screen(): Screen {
    return this.reference.screen;
  }

  /**
   * Whether the signer keeps its seed under a PIN: whether it asked for a PIN after the words were entered.
   */
  get hasVault(): boolean {
    return this.#hasVault;
  }

  /**
   * Begins a check, or connects the host again: drops the previous state of both devices. A locked signer has
   * a keystore, which needs the words or the PIN.
   */
  async begin(): Promise<void> {
    this.#review = undefined;
    this.#presses = 0;
    this.reference.restart();
    await this.#link.transport.close();
    this.#link.transport = this.signer.connect();
    if (isLocked(await this.#link.awaitAnswer())) await this.#open();
    else if (this.#hasKeystore) this.#openOn(this.reference);
  }

  /** Opens the seed on both devices, with the PIN or by entering the words. */
  async #open(): Promise<void> {
    if (!this.#hasKeystore) return this.#meetKeystore();
    this.reference.restart();
    return this.signer.controls.awaitFrame
      ? this.follow(reference => this.#openOn(reference))
      : this.#askForWords();
  }

  /** Asks a person to enter the words, without comparing the pages. */
  async #askForWords(): Promise<void> {
    await this.signer.controls.enterWords?.(this.mnemonic);
    this.#openOn(this.reference);
  }

  #openOn(reference: Emulator): void {
    if (reference.texts()[1] === 'is locked') unlockSeed(reference, PIN);
    else restoreSeed(reference, this.mnemonic, this.#hasVault ? { pin: PIN } : {});
  }

  /** Enters the words for the first time. If the signer then asks for a PIN, it has a vault. */
  async #meetKeystore(): Promise<void> {
    await this.#referTo({});
    if (!this.signer.controls.awaitFrame) return this.#askForWords();
    await this.look();
    const without = this.reference;
    const withVault = await Emulator.start({ keystore: emptyVault(), device: null });
    const steps = await stepsOf(withVault, () => restoreSeed(withVault, this.mnemonic, { pin: PIN }));
    const asked = steps.findIndex(({ screen }) => isPinPage(screen));
    const { press, screen } = steps[asked]!;
    await this.#walk(steps.slice(0, asked));
    this.#openOn(without);
    const shown = await this.#awaitFrame(
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
  async exchange(command: Uint8Array): Promise<Uint8Array> {
    return this.#link.ask(command);
  }

  /**
   * Sends commands to the signer and the reference, whose replies must be equal. Resolves with the review if
   * the last command opens one.
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
      throw new EmulatorError('REVIEW_MISMATCH', 'the emulator opened a review for commands that need none');
  }

  /** Sends commands that must open a review, and compares its first page. */
  async open(commands: readonly Uint8Array[]): Promise<Review> {
    const review = await this.send(commands);
    if (!review) throw new NoReviewError('the emulator opened no review for the commands of this check');
    await this.look();
    return review;
  }

  async #openReview(command: Uint8Array, expected: Promise<Uint8Array>): Promise<Review> {
    expected.catch(() => undefined);
    this.#review = new Review(this.#link.transport.exchange(Buffer.from(command)), expected);
    return this.#review;
  }

  /**
   * Presses through the review to the decision, and compares the replies. Resolves with the signer's reply.
   */
  async decide(review: Review, decision: 'approve' | 'reject'): Promise<Uint8Array> {
    await this.follow(reference => reference[decision]());
    return this.expectDecided(review);
  }

  /** Expects that the signer does not answer for this time, because nothing was decided. */
  async expectUndecided(review: Review, forMs: number): Promise<void> {
    await review.awaitReply(forMs);
    await this.look();
  }

  /** Compares the replies after the decision. Resolves with the signer's reply. */
  async expectDecided(review: Review): Promise<Uint8Array> {
    this.#review = undefined;
    const reply = await this.#link.inTime(review.reply, 'no reply to the decision');
    expectReply(reply, await review.expected);
    return reply;
  }

  /** Expects the display to show the screen of the reference. */
  async look(): Promise<void> {
    await this.#walk([{ screen: this.reference.screen }]);
  }

  /** Performs the presses of `act` on the reference and then on the signer, and compares every screen. */
  async follow(act: (reference: Emulator) => unknown): Promise<void> {
    await this.#walk(await stepsOf(this.reference, act));
  }

  /**
   * Performs `misuse` on the panel of the signer, and `act` on the reference. Then both must show the same
   * screen.
   */
  async misuse(misuse: (panel: Panel) => unknown, act?: (reference: Emulator) => unknown): Promise<void> {
    const { panel } = this.signer.controls;
    if (!panel) throw new NotTested('the display and the keys of the signer are not at this end of its UART');
    if (this.#review) this.#review.isDeciding = true;
    try {
      await misuse(panel);
    } finally {
      panel.answers = true;
    }
    await act?.(this.reference);
    await this.look();
  }

  /**
   * Expects a second connection to get the reply of the reference within BUSY_MS. One of three attempts is
   * enough, because this machine may be busy.
   */
  async expectBusy(command: Uint8Array): Promise<void> {
    const other = this.signer.connect();
    try {
      const expected = await this.reference.exchange(command);
      let soonest = Infinity;
      for (let tries = 0; tries < BUSY_TRIES && soonest > BUSY_MS; tries += 1) {
        const start = performance.now();
        const reply = await this.#link.inTime(
          other.exchange(Buffer.from(command)),
          'no reply during a review',
        );
        soonest = Math.min(soonest, performance.now() - start);
        expectReply(reply, expected);
      }
      if (soonest > BUSY_MS)
        throw new Nonconformity(`the BUSY reply took ${Math.round(soonest)} ms; the limit is ${BUSY_MS} ms`);
    } finally {
      await other.close();
    }
  }

  /** Expects a second connection, which is another host, to get the reply of the reference. */
  async sendElsewhere(command: Uint8Array): Promise<void> {
    const other = this.signer.connect();
    try {
      const expected = await this.reference.beginFrom(0, 0, command);
      expectReply(await this.#link.ask(command, other), expected);
    } finally {
      await other.close();
    }
  }

  /** Cuts the power of both devices as `lock` does, and opens the seed again. */
  async cutPower(): Promise<boolean> {
    if (!(await this.lock())) return false;
    if (this.#hasKeystore) await this.#open();
    return true;
  }

  /**
   * Cuts the power of both devices. A keystore then has no open seed. Returns false if the power of the
   * signer cannot be cut, or if a person would need to enter the words again.
   */
  async lock(): Promise<boolean> {
    if (this.#hasKeystore && this.signer.controls.enterWords) return false;
    if (!(await this.signer.controls.cutPower())) return false;
    this.reference.restart();
    await this.#link.reconnect();
    return true;
  }

  /**
   * Forgets the seed on both devices, enters it again, and cuts the power while the signer stores it. The
   * signer may then have the whole seed or none. Finally opens the seed.
   */
  async cutWhileStoring(): Promise<void> {
    await this.follow(forgetSeed);
    const empty = this.screen;
    const steps = await stepsOf(this.reference, () => this.#openOn(this.reference));
    const last = steps.length - 1;
    const options = await this.#walkBySight(steps, last);
    await this.#awaitFrame(buttonOf(options!, digitOf(steps, last)), () => true);
    if (!(await this.lock())) throw new NotTested("the signer's power cannot be cut");
    const locked = this.screen;
    const shown = await this.#awaitFrame(undefined, frame => isSame(frame, empty) || isSame(frame, locked));
    if (isSame(shown, empty)) await this.#referTo(emptyVault());
    await this.#open();
  }

  /** Shortens all later waits for a signer that has failed a check. */
  hurry(): void {
    this.#link.hurry();
    this.signer.controls.hurry?.();
  }

  /** Stops the reference and closes the connection to the signer under test. */
  async close(): Promise<void> {
    this.reference.stop();
    await this.#link.transport.close();
  }

  async #walk(steps: readonly ScreenStep[]): Promise<void> {
    if (steps.some(({ screen }) => isPinPage(screen))) {
      await this.#walkBySight(steps);
      return;
    }
    for (const step of steps) if (step.press) step.number = ++this.#presses;
    const { controls } = this.signer;
    const fault = (message: string, screen?: WrongScreen) => new Nonconformity(message, screen);
    const wrong = await (this.#review?.follow(controls, steps, fault) ?? followSteps(controls, steps));
    if (wrong) throw fault(wrong.complaint, wrong);
  }

  /**
   * Performs the first `count` steps. The signer shows the digits of a PIN in random order, so this presses
   * the button for which the signer shows the wanted digit. Resolves with the digits that the last page
   * shows, if any.
   */
  async #walkBySight(steps: readonly ScreenStep[], count = steps.length): Promise<PinOptions | undefined> {
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
    const shown = await this.#awaitFrame(press, frame => isSamePinPage(frame, screen));
    const options = isSamePinPage(shown, screen) ? this.#pinReader.read(shown, screen) : undefined;
    if (!options) {
      const complaint = `the display does not show the page "${textsOf(screen)[0]}" with readable digits`;
      throw new Nonconformity(complaint, { complaint, step: { screen }, shown });
    }
    if (areAllDigits(options)) this.pinOrders.add([...options.values()].join(''));
    return options;
  }

  async #awaitFrame(press: Button | undefined, isMeant: (frame: Uint8Array) => boolean): Promise<Uint8Array> {
    const { awaitFrame } = this.signer.controls;
    if (!awaitFrame) throw new NotTested('only a person can read the display');
    return awaitFrame.call(this.signer.controls, press, isMeant);
  }
}

/** Performs `act` on the reference. Resolves with its presses and the screen after each press. */
async function stepsOf(reference: Emulator, act: (reference: Emulator) => unknown): Promise<ScreenStep[]> {
  const steps: ScreenStep[] = [];
  const stop = recordSteps(reference, step => steps.push(step));
  await act(reference);
  stop();
  return steps;
}

const emptyVault = (): KeystoreOptions => ({ noise: randomBytes(NOISE_LENGTH), vault: new Vault() });

const isSame = (frame: Uint8Array, screen: Screen) => Buffer.compare(frame, screen.frame) === 0;

/** Forgets the seed, starting at any page of the signer's menu. */
function forgetSeed(reference: Emulator): void {
  for (const title of ['Quit', 'Forget seed']) {
    for (let presses = 0; reference.texts()[0] !== title && presses < MENU_PAGES; presses++)
      reference.press('right');
    reference.press('both');
  }
  reference.press('both');
}

function buttonOf(options: PinOptions, digit: string): Button {
  const found = [...options].find(([, digits]) => digits.includes(digit));
  if (!found) throw new Nonconformity(`the display shows no button for the digit ${digit}`);
  return found[0];
}

/** Reads the flags of GET_APP_VERSION (docs/APDU.md#get_app_version). */
function isLocked(versions: Uint8Array): boolean {
  return ((versions[FLAGS_AT] ?? 0) & FLAG_LOCKED) !== 0;
}

function expectReply(reply: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(reply, expected) === 0) return;
  throw new Nonconformity(`the signer answered ${shownReply(reply)}, expected ${shownReply(expected)}`);
}
