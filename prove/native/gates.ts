// Events that must have no effect on a Pico without an open seed: presses in the keystore, its idle lock, and
// commands of hosts.
import { image, symbol } from '../../testkit/boards/image.js';
import { wordOf, writesOf } from '../../testkit/boards/opened-keystore.js';
import { KEYSTORE_OPTIONS } from '../../testkit/boards/pico.js';
import { PicoDriver } from '../../testkit/boards/pico-driver.js';
import { emptyStorage } from '../../testkit/boards/storage.js';
import { GET_APP_VERSION, getPublicKey, signMessage } from '../../testkit/device/apdu.js';
import { KeystoreDevice } from '../../testkit/device/keystore-device.js';
import { framed } from '../../testkit/device/reports.js';
import { accounts, keystore as vectors } from '../../testkit/repository/vectors.js';
import { SEEDS } from '../explore/alphabet.js';
import { type Field, fieldAt, type Layout } from '../keystore/layout.js';
import { holdsSecret } from '../single-faults/session.js';
import {
  atPress,
  atReport,
  CHANNEL,
  type FaultScenario,
  INTERNAL,
  judgeReports,
  mainLoop,
  REPLY_MS,
  reportsOf,
  stopAtEvent,
  type Verdict,
  wordAt,
} from './fault-scenario.js';
import { type CallSetup, type Outcome, TracedCall } from './trial.js';

const OPEN = 0x5ac3a53c;
const SEED = Buffer.from(SEEDS.A);
const SEED_PIECE = 8;
const MODULE = 24576;
const [MENU, MAX_REPLY, REPORTS] = [0x03030303, 261, 5];
const [TIMER, SECOND, IDLE_LIMIT, SECONDS] = [0x40054028, 1_000_000, 1800, 3];
/** Matches an empty packet, and a two-byte status other than 9000. */
const REFUSAL = new RegExp(`^(${CHANNEL.toString(16)}0500000002(?!9000)[0-9a-f]{4}0*)?$`);
const FORGET = 0x04040404;
const MENU_OF_OPEN = 'rrrr';

/** A Pico with the state of a keystore that was operated on this machine, outside the simulator. */
class Keystore {
  private constructor(
    readonly driver: PicoDriver,
    private readonly layout: Layout,
  ) {}

  static async at(layout: Layout, bring: (device: KeystoreDevice) => void): Promise<Keystore> {
    const driver = await PicoDriver.open({ storage: emptyStorage(), passphrase: null });
    await driver.settle();
    const noise = Buffer.from(dice.raw, 'hex');
    const device = new KeystoreDevice({ options: KEYSTORE_OPTIONS, noise });
    bring(device);
    for (const [address, bytes] of writesOf(image, device)) driver.pico.write(address, bytes);
    await driver.run(REPLY_MS);
    await driver.settle();
    return new Keystore(driver, layout);
  }

  field(name: Field): number {
    return wordAt(this.driver, symbol('keystore_memory') + fieldAt(this.layout, name));
  }

  get isOpen(): boolean {
    return this.field('opened') === OPEN;
  }

  get holdsSeed(): boolean {
    return hasPiece(this.driver.pico.chip.sram);
  }

  get signerHoldsSeed(): boolean {
    return hasPiece(this.driver.pico.memory(symbol('module_memory'), MODULE));
  }
}

/** Returns whether a piece of the seed is anywhere in the memory. */
function hasPiece(memory: Uint8Array): boolean {
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, memory.length);
  for (let at = 0; at < SEED.length; at += SEED_PIECE)
    if (bytes.includes(SEED.subarray(at, at + SEED_PIECE))) return true;
  return false;
}

const dice = vectors.seeds.find(({ kind, words, raw }) => kind === 'dice' && words === 12 && raw !== '')!;

function toFingerprint(device: KeystoreDevice): void {
  device.press('rrb');
  device.enterWords(accounts.mnemonic);
  device.enterPassphrase('');
}

function toMenuOfOpen(device: KeystoreDevice): void {
  toFingerprint(device);
  device.press('r');
  device.app.open_menu();
}

/** Goes to the question for the last word of a new seed, after correct answers to all others. */
function toLastWord(device: KeystoreDevice): void {
  device.press('rbllr');
  device.press([...dice.presses].map(button => ' lrb'[Number(button)]!).join(''));
  device.read('Rolls');
  device.read('Words');
  const words = dice.mnemonic.split(' ');
  while (device.texts[0] !== 'Word 12 is') {
    const before = device.texts[0];
    const word = words[Number(/\d+/.exec(before!)![0]) - 1]!;
    device.press(keyOf(device.texts, option => option === word));
    if (device.texts[0] === before) throw new Error(`no answer to "${before}"`);
  }
}

function keyOf(texts: readonly string[], isMeant: (option: string) => boolean): string {
  return 'lbr'[texts.slice(1).findIndex(line => isMeant(line.slice(3)))]!;
}

const KEYS = { l: 'left', b: 'both', r: 'right' } as const;

/** More instructions than the keystore needs to form the words of a question again. */
const A_QUESTION = 200_000;

/** Calls of the main loop during three seconds without a press; the first second completes half an hour. */
function idling({ driver }: Keystore): CallSetup {
  const { pico } = driver;
  pico.write(symbol('idle_seconds'), wordOf(IDLE_LIMIT - 1));
  const began = wordAt(driver, symbol('second_began'));
  const loop = mainLoop(driver);
  const setup: CallSetup = {
    ...loop,
    now: [0],
    read: address => (address === TIMER ? began + setup.now[0]! * SECOND + 1 : undefined),
    again: returned => {
      if (loop.again(returned)) return true;
      setup.now = [setup.now[0]! + 1];
      return setup.now[0]! <= SECONDS;
    },
  };
  return setup;
}

/** Settings for all scenarios of this file. */
interface Trials {
  /** Functions that must never be called unless the user has opened a seed. */
  secret: readonly number[];
  draws: readonly number[];
  layout: Layout;
  all: boolean;
}

const nothing = new Set(reportsOf(0, INTERNAL));

/** Returns a scenario of a press in the keystore. `harm` is called when the main loop is idle. */
async function pressed(
  { secret, draws, all }: Trials,
  name: string,
  keystore: Keystore,
  key: 'l' | 'b' | 'r',
  harm: () => Verdict | undefined,
): Promise<FaultScenario> {
  await atPress(keystore.driver, KEYS[key]);
  const traced = new TracedCall(keystore.driver.pico, secret, {
    ...mainLoop(keystore.driver),
    ends: all ? [] : draws,
    patience: A_QUESTION,
  });
  const judge = (outcome: Outcome) =>
    judgeReports(outcome, nothing) ?? (outcome.end === 'idle' ? harm() : undefined) ?? outcome.end;
  return { name, traced, steps: traced.stepsToTry(all), judge };
}

async function wrongWord(trials: Trials): Promise<FaultScenario> {
  let key = '';
  const question = await Keystore.at(trials.layout, device => {
    toLastWord(device);
    const word = dice.mnemonic.split(' ').at(-1)!;
    key = keyOf(device.texts, option => option !== word && option !== '');
  });
  return pressed(trials, 'a wrong word', question, key as 'l', () =>
    question.isOpen ? 'opens' : question.field('word') > 11 ? 'confirmed' : undefined,
  );
}

async function otherFingerprint(trials: Trials): Promise<FaultScenario> {
  const keystore = await Keystore.at(trials.layout, toFingerprint);
  return pressed(trials, 'a rejected fingerprint', keystore, 'l', () =>
    keystore.isOpen ? 'opens' : undefined,
  );
}

/**
 * It counts as harm if the seed is not forgotten, unless the page shows that the press was lost or misread.
 */
async function forgotten(trials: Trials): Promise<FaultScenario> {
  const keystore = await Keystore.at(trials.layout, device => {
    toMenuOfOpen(device);
    device.press(`${MENU_OF_OPEN}b`);
  });
  return pressed(trials, 'forget the seed', keystore, 'b', () =>
    [FORGET, MENU].includes(keystore.field('page')) ? undefined : stillThere(keystore),
  );
}

function stillThere(keystore: Keystore): Verdict | undefined {
  return keystore.isOpen ? 'opens' : keystore.holdsSeed ? 'stays' : undefined;
}

/**
 * If the firmware counts a press by mistake, the half hour without a press starts again, which does no harm.
 */
async function halfHour({ secret, draws, layout, all }: Trials): Promise<FaultScenario> {
  const keystore = await Keystore.at(layout, device => {
    toFingerprint(device);
    device.press('r');
  });
  const { driver } = keystore;
  await stopAtEvent(
    driver,
    () => true,
    () => driver.settle().then(async () => void (await driver.run(REPLY_MS))),
  );
  const traced = new TracedCall(driver.pico, secret, idling(keystore));
  const isDue = () => wordAt(driver, symbol('idle_seconds')) >= IDLE_LIMIT;
  const judge = (outcome: Outcome): Verdict => {
    const left = judgeReports(outcome, nothing);
    if (left || outcome.end !== 'idle') return left ?? outcome.end;
    return (isDue() ? stillThere(keystore) : undefined) ?? 'idle';
  };
  return {
    name: 'half an hour',
    traced,
    steps: traced.stepsToTry(all, 0, all ? undefined : traced.firstStepAt(...draws)),
    judge,
  };
}

/** Returns a scenario of a command of a host while no seed is open. */
async function asked(
  { secret, layout, all }: Trials,
  name: string,
  bring: (device: KeystoreDevice) => void,
  command: Uint8Array,
): Promise<FaultScenario> {
  const keystore = await Keystore.at(layout, bring);
  const { driver } = keystore;
  await atReport(driver, framed(CHANNEL, command)[0]!);
  const traced = new TracedCall(driver.pico, secret, mainLoop(driver));
  const isDue = (report: string) => traced.right.reports.includes(report) || REFUSAL.test(report);
  const judge = ({ end, reports }: Outcome): Verdict => {
    if (end === 'signs') return keystore.signerHoldsSeed ? 'opens' : 'other seed';
    if (holdsSecret(reports.join('')) || isLong(reports)) return 'garbled';
    if (!reports.every(isDue)) return 'other reply';
    return end === 'idle' && reports.length > 0 ? 'refuses' : end;
  };
  return { name, traced, steps: traced.stepsToTry(all), judge };
}

/** Returns whether a reply is longer than any valid reply. */
function isLong(reports: readonly string[]): boolean {
  const lengthOf = (report: string) => Number.parseInt(report.slice(10, 14), 16);
  return (
    reports.length > REPORTS ||
    reports.some(report => report.slice(6, 10) === '0000' && lengthOf(report) > MAX_REPLY)
  );
}

export async function* gateScenarios(
  secret: readonly number[],
  draws: readonly number[],
  layout: Layout,
  all: boolean,
): AsyncGenerator<FaultScenario> {
  const trials = { secret, draws, layout, all };
  yield wrongWord(trials);
  yield otherFingerprint(trials);
  yield forgotten(trials);
  yield halfHour(trials);
  yield asked(trials, 'a public key while the keystore is in front', toMenuOfOpen, getPublicKey(0));
  if (!all) return;
  const message = signMessage(0, Buffer.from('x'))[0]!;
  yield asked(trials, 'the version', toMenuOfOpen, GET_APP_VERSION);
  yield asked(trials, 'a public key without a seed', () => undefined, getPublicKey(0));
  yield asked(trials, 'a public key of words that are not confirmed', toFingerprint, getPublicKey(0));
  yield asked(trials, 'a message while the keystore is in front', toMenuOfOpen, message);
}
