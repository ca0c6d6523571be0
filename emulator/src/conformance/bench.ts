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
import { restoreSeed, unlockSeed } from '../review/seed-entry.js';
import type { Panel, SignerUnderTest, Step, WrongScreen } from '../rig/signer-under-test.js';
import { recordSteps } from '../rig/step-recorder.js';
import { withLimit } from '../rig/time-limit.js';
import { GET_APP_VERSION } from './commands.js';
import { areAllDigits, digitOf, isPinPage, isSamePinPage, type PinOptions, PinReader } from './pin-pages.js';

/** One thing that a signer has to do. */
export interface Check {
  name: string;
  /** Resolves when the signer does it; throws Nonconformity or NotTested, or what the transport throws. */
  run(bench: Bench): Promise<void>;
}

/** Checks of one kind. */
export interface CheckGroup {
  name: string;
  /** Absent: every signer has to do it. Before a run, `bench` is not there. */
  applies?(signer: SignerUnderTest, bench?: Bench): boolean;
  checks: readonly Check[];
}

/** The signer does something else than it has to. */
export class Nonconformity extends Error {
  override readonly name = 'Nonconformity';
  constructor(
    message: string,
    readonly screen?: WrongScreen,
  ) {
    super(message);
  }
}

/** Nobody can do what the check needs. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
}

/** How long a signer may take to answer what needs no decision: deriving a key is the longest. */
const ANSWER_MS = 10_000;
/** How long it may take to say BUSY. A host asks after two seconds, and gives up after two more. */
const BUSY_MS = 1000;
const BUSY_TRIES = 3;
/** How long a signer may take to start after its power came back. */
const START_MS = 20_000;
const RETRY_MS = 250;
/** Of the flags in the reply to GET_APP_VERSION. */
const FLAGS_AT = 4;
/** What protects the seed in a vault. */
export const PIN = '314159';
const MENU_PAGES = 12;
/** More noise than the reference uses. */
const NOISE_LENGTH = 1 << 20;

/** A review that is open on the signer and on the reference. */
interface Review {
  reply: Promise<Uint8Array>;
  expected: Promise<Uint8Array>;
}

/**
 * The signer under test beside the emulator, which is the reference: both get the same commands and presses,
 * and have to answer and show the same.
 */
export class Bench {
  #transport: Transport;

  /** The signer has a keystore in front of it, and so has the reference. */
  #hasKeystore = false;
  #hasVault = false;
  readonly #pinReader = new PinReader();
  /** In which the digits of a PIN stood. */
  readonly pinOrders = new Set<string>();

  private constructor(
    private readonly signer: SignerUnderTest,
    private readonly mnemonic: string,
    private reference: Emulator,
  ) {
    this.#transport = signer.connect();
  }

  /** `mnemonic` is that of the reference. */
  static async open(signer: SignerUnderTest, mnemonic: string): Promise<Bench> {
    return new Bench(signer, mnemonic, await Emulator.start({ seed: mnemonic, device: null }));
  }

  /** What the reference shows: its menu, at the start of each check. */
  get screen(): Screen {
    return this.reference.screen;
  }

  /** Whether the signer keeps its seed under a PIN, which it showed when the words were entered. */
  get hasVault(): boolean {
    return this.#hasVault;
  }

  /**
   * Begins a check: whatever the last one left is dropped, on both. A signer that is locked has a keystore, into
   * which the words are entered, or the PIN.
   */
  async begin(): Promise<void> {
    this.reference.restart();
    await this.#transport.close();
    this.#transport = this.signer.connect();
    if (isLocked(await this.#settle())) await this.#open();
    else if (this.#hasKeystore) this.#openOn(this.reference);
  }

  /** Opens the seed on both, where the signer has none open. */
  async #open(): Promise<void> {
    if (!this.#hasKeystore) return this.#meetKeystore();
    this.reference.restart();
    return this.signer.hands.see ? this.follow(reference => this.#openOn(reference)) : this.#askForWords();
  }

  /** Of a person, who enters them where nobody compares the pages. */
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

  /** What the signer answers to a command that needs no decision. */
  async exchange(command: Uint8Array, transport = this.#transport): Promise<Uint8Array> {
    return withLimit(transport.exchange(Buffer.from(command)), ANSWER_MS, tooLate('no reply'));
  }

  /**
   * Sends commands to both, which have to answer the same; resolves with the review when the last one opens
   * it.
   */
  async send(commands: readonly Uint8Array[]): Promise<Review | undefined> {
    for (const command of commands) {
      const expected = this.reference.exchange(command);
      if (this.reference.reviewing) return this.#openReview(command, expected);
      expectReply(await this.exchange(command), await expected);
    }
    return undefined;
  }

  /** Sends commands that no review may follow. */
  async sendAnswered(commands: readonly Uint8Array[]): Promise<void> {
    if (await this.send(commands))
      throw new EmulatorError('REVIEW_MISMATCH', 'the reference opened a review');
  }

  /** Sends commands that a review has to follow, and sees its first page. */
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

  /** Has the user decide, page by page, and compares the replies; resolves with the signer's. */
  async decide(review: Review, decision: 'approve' | 'reject'): Promise<Uint8Array> {
    await this.follow(reference => reference[decision]());
    return this.expectDecided(review);
  }

  /** Compares the replies of a review that was decided; resolves with the signer's. */
  async expectDecided(review: Review): Promise<Uint8Array> {
    const reply = await withLimit(review.reply, ANSWER_MS, tooLate('no reply to the decision'));
    expectReply(reply, await review.expected);
    return reply;
  }

  /** The display shows what the reference shows. */
  async look(): Promise<void> {
    await this.#walk([{ screen: this.reference.screen }]);
  }

  /** Presses on both whatever `act` presses on the reference; every screen is compared. */
  async follow(act: (reference: Emulator) => unknown): Promise<void> {
    await this.#walk(await stepsOf(this.reference, act));
  }

  /** Has `misuse` do with the panel what has to show what the reference shows after `act`. */
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
   * A second connection is answered as the reference answers, and soon: one of three times at least, as this
   * machine may be held up itself.
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

  /** The host goes away, and comes back. */
  async disconnect(): Promise<void> {
    await this.begin();
  }

  /** Cuts the power of both, and opens the seed again; false when the signer's cannot be cut. */
  async cut(): Promise<boolean> {
    if (!(await this.lock())) return false;
    if (this.#hasKeystore) await this.#open();
    return true;
  }

  /**
   * Cuts the power of both; false when the signer's cannot be cut, or a person would enter the words again. A
   * keystore has no seed open then.
   */
  async lock(): Promise<boolean> {
    if (this.#hasKeystore && this.signer.hands.enterWords) return false;
    if (!(await this.signer.hands.cut())) return false;
    this.reference.restart();
    // Closed only then: that would cancel what the signer ought to have forgotten.
    const before = this.#transport;
    this.#transport = this.signer.connect();
    try {
      await this.#settle();
    } finally {
      await before.close();
    }
    return true;
  }

  /** Forgets the seed of both, has it stored again, and cuts the power meanwhile; then it is open again. */
  async cutWhileStoring(): Promise<void> {
    await this.follow(forgetSeed);
    const empty = this.screen;
    const steps = await stepsOf(this.reference, () => this.#openOn(this.reference));
    const last = steps.length - 1;
    const options = await this.#walkBySight(steps, last);
    await this.#see(buttonOf(options!, digitOf(steps, last)), () => true);
    if (!(await this.lock())) throw new NotTested('nobody can cut the power');
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
   * Presses what stands for the digits that are meant, wherever the signer shows them; as many steps as `count`.
   * Resolves with what the buttons stand for at the end, if that are digits.
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
    if (!see) throw new NotTested('nobody but a person reads the display');
    return see.call(this.signer.hands, press, isMeant);
  }

  /** Waits until the signer answers; it may still be about to drop a review, or to start. Returns its versions. */
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

/** The presses of an act, and the screens after them. */
async function stepsOf(reference: Emulator, act: (reference: Emulator) => unknown): Promise<Step[]> {
  const steps: Step[] = [];
  const stop = recordSteps(reference, step => steps.push(step));
  await act(reference);
  stop();
  return steps;
}

const emptyVault = (): KeystoreOptions => ({ noise: randomBytes(NOISE_LENGTH), vault: new Vault() });

const isSame = (frame: Uint8Array, screen: Screen) => Buffer.compare(frame, screen.frame) === 0;

/** From a page of the signer's menu. */
function forgetSeed(reference: Emulator): void {
  for (const title of ['Quit', 'Forget seed']) {
    for (let presses = 0; reference.texts()[0] !== title && presses < MENU_PAGES; presses++)
      reference.press('right');
    reference.press('both');
  }
  reference.press('both');
}

/** What has to be pressed for a digit. */
function buttonOf(options: PinOptions, digit: string): Button {
  const found = [...options].find(([, digits]) => digits.includes(digit));
  if (!found) throw new Nonconformity(`no button stands for ${digit}`);
  return found[0];
}

/** By the flags of GET_APP_VERSION (docs/APDU.md#get_app_version). */
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
