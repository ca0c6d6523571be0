// single-faults NAMED ASKING: inverts every conditional branch of the keystore once, and flips bits of its
// state before each press, in new seeds, a restore and unlocks, with good and bad noise. NAMED is the shipped
// module with its functions' names. ASKING is the same module with a call before each branch. The result of
// this call decides whether the branch is inverted. --control ASKING…: checks modules that lack a check, or
// have a bug that a product has had. Each of them has its `keystore.wasm` next to it, and its fault must be
// found.
import { createHash, pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { FakeVault } from '../../testkit/device/fake-vault.js';
import { KeystoreDevice } from '../../testkit/device/keystore-device.js';
import { keystore } from '../../testkit/repository/vectors.js';
import { controlModules, failureOf, UnprovenClaim } from '../control.js';
import { Branches, flippedGlobals } from '../single-faults/inversion.js';
import { type Layout, readKeystore } from './layout.js';
import { HAS_NOISE, HAS_VAULT, type Image, Machine, MOST_PRESSES, stream } from './machine.js';
import { prepare } from './run.js';
import { Guesser, Restorer, Roller, type SimulatedUser } from './simulated-user.js';

const RAW = 1024;

// The ends of a session with a harmless fault; any other end describes harm.
const TRAP = 'trap';
const SAME = 'same';
const NO_HARM = 'no harm';
const HARMLESS = [TRAP, SAME, NO_HARM];

const rolls = (count: number) =>
  keystore.seeds.find(({ kind, words, raw }) => kind === 'dice' && words === count && raw !== '')!;
const dice = rolls(12);
const noiseOf = ({ raw }: typeof dice) => Buffer.concat([Buffer.from(raw, 'hex'), stream('rest', 1 << 16)]);
const good = noiseOf(dice);
const PIN = '314159';
const WRONG_PIN = '271828';

interface Session {
  name: string;
  options: number;
  noise: Uint8Array | undefined;
  user: () => SimulatedUser;
  /** The vault's initial count of attempts; its PIN is PIN. */
  tries?: number;
  /** The seed that is open at the end, without a fault. */
  opens?: string;
  /** Describes the harm at the end of a session; undefined if there is none. */
  harm: (end: Machine, user: SimulatedUser) => string | undefined;
}

const seedOf = (words: string) => pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512').toString('hex');

/**
 * An open seed must belong to the shown words, and these words must come from both the device's noise
 * and the user's rolls.
 */
function judgeNewSeed(
  { seed, drawn }: Machine,
  user: SimulatedUser,
  hasGoodNoise: boolean,
): string | undefined {
  if (seed === undefined) return undefined;
  const { words, rolled } = user as Roller;
  if (seed.isInFront) return 'the signer gets the seed while the keystore is in front';
  if (rolled.length !== (words.length === 12 ? 50 : 99)) return 'the seed was made from too few rolls';
  if (seed.hex !== seedOf(words.join(' '))) return 'the seed does not belong to its words';
  if (!hasGoodNoise) return 'the seed was made from failed noise';
  const part = createHash('sha256').update(drawn).digest('hex');
  const entropy = createHash('sha256')
    .update(`${part}${rolled}`)
    .digest()
    .subarray(0, (words.length * 4) / 3);
  return words.join(' ') === entropyToMnemonic(entropy, wordlist) ? undefined : 'the seed lacks a source';
}

function judgeUnlock({ seed, vault, texts }: Machine, tries: number): string | undefined {
  if (seed !== undefined)
    return seed.hex === dice.seed ? 'the keystore opens without the PIN' : 'the keystore opens another seed';
  if (texts[0] !== 'Wrong PIN') return undefined;
  if (vault.count <= tries) return 'the attempt does not count';
  return tries === 9 && vault.count < 10 ? 'an eleventh attempt is possible' : undefined;
}

const newSeed = (seed: typeof dice): Session => ({
  name: `a new seed of ${seed.words} words`,
  options: HAS_NOISE,
  noise: noiseOf(seed),
  user: () => new Roller(seed.record, seed.words),
  opens: seedOf(seed.mnemonic),
  harm: (end, user) => judgeNewSeed(end, user, true),
});

const withoutNoise = (name: string, noise: Uint8Array): Session => ({
  name,
  options: HAS_NOISE,
  noise,
  user: () => new Roller(dice.record, dice.words),
  harm: (end, user) => judgeNewSeed(end, user, false),
});

const unlock = (tries: number): Session => ({
  name: `a wrong PIN after ${tries} tries`,
  options: HAS_NOISE | HAS_VAULT,
  noise: good,
  user: () => new Guesser(WRONG_PIN),
  tries,
  harm: end => judgeUnlock(end, tries),
});

const STORED = storedSeed();

const SESSIONS: Session[] = [
  newSeed(dice),
  withoutNoise('a source that gives zeros', Buffer.alloc(RAW)),
  withoutNoise('a source that ends', good.subarray(0, RAW - 1)),
  {
    name: 'a restore',
    options: 0,
    noise: undefined,
    opens: dice.seed,
    user: () => new Restorer(dice.mnemonic.split(' '), dice.fingerprint),
    harm: ({ seed }) =>
      seed === undefined || seed.hex === dice.seed ? undefined : 'the seed does not belong to its words',
  },
  unlock(0),
  unlock(9),
  {
    ...unlock(0),
    name: 'a PIN with a source that gives zeros',
    noise: Buffer.alloc(1 << 16),
    harm: ({ vault, texts }) =>
      vault.count > 0 || /PIN/.test(texts[0]!) ? 'a PIN is asked for without good noise' : undefined,
  },
  newSeed(rolls(24)),
];

interface Found {
  harm: string;
  where: string;
}

/**
 * A press in a session without faults, with the board before and after it, and the simulated user after it.
 */
interface Press {
  image: Image;
  button: number;
  user: SimulatedUser;
  after: Image;
}

/** Tries every fault in a session, starting from the session's correct course. */
class Campaign {
  readonly tally: Record<string, number> = {};
  readonly flips: Record<string, number> = {};
  readonly found: Found[] = [];
  readonly #branches = new Branches();
  readonly #asking: Machine;
  readonly #plain: Machine;

  constructor(
    private readonly session: Session,
    named: WebAssembly.Module,
    asking: WebAssembly.Module,
    private readonly places: string[],
    private readonly layout: Layout,
  ) {
    this.#asking = new Machine(asking, session.noise, this.#branches.take);
    this.#plain = new Machine(named, session.noise);
  }

  /** Tries the faults of all presses, or of those up to the first that does harm. */
  run(endsAtHarm = false): void {
    for (const press of this.#rehearse().filter(isOfItsOwn)) {
      if (endsAtHarm && this.found.length > 0) return;
      this.#flipAll(press);
      const counts = this.#branches.count(this.places.length, () => this.#pressAsking(press));
      for (const [place, count] of counts.entries())
        for (const time of count === 0 ? [] : new Set([1, count])) this.#invert(press, place, time);
    }
  }

  #rehearse(): Press[] {
    const machine = this.#plain;
    const { name, options, tries, user: begin, opens, harm } = this.session;
    if (tries !== undefined) machine.vault = { ...STORED, count: tries, mayStretch: false };
    machine.boot(options);
    const user = begin();
    const course: Press[] = [];
    while (course.length < MOST_PRESSES && machine.seed === undefined) {
      const button = user.next(machine.texts);
      if (button === undefined) break;
      const image = machine.image();
      machine.press(button);
      course.push({ image, button, user: user.clone(), after: machine.image() });
    }
    const harmed = harm(machine, user);
    if (harmed !== undefined) throw new Error(`${name}: ${harmed}, without a fault`);
    if (machine.seed?.hex !== opens)
      throw new Error(`${name}: without a fault, the session ends at "${machine.texts[0]}"`);
    return course;
  }

  /** Flips a bit of the state, or of a global, before a press; continues if it is not noticed. */
  #flipAll(press: Press): void {
    const { memory, globals } = press.image;
    const { state, stateSize, seed } = this.layout;
    for (let i = 0; i < stateSize; i++) {
      // Flips every bit of the fields, which come first, but only one bit of each other byte.
      const bits = state + i < seed ? [0, 1, 2, 3, 4, 5, 6, 7] : [i % 8];
      for (const bit of bits) {
        const flipped = memory.slice();
        flipped[state + i]! ^= 1 << bit;
        this.#pressFlipped(press, { ...press.image, memory: flipped }, `byte ${i} of the state`);
      }
    }
    for (const [flipped, where] of flippedGlobals(globals))
      this.#pressFlipped(press, { ...press.image, globals: flipped }, where);
  }

  #pressFlipped(press: Press, flipped: Image, what: string): void {
    const machine = this.#plain;
    machine.restore(flipped);
    const given = machine.seed;
    const before = given === undefined ? undefined : this.session.harm(machine, press.user);
    const works = before === undefined && machine.press(press.button);
    const end = before ?? (works ? this.#goOn(press, machine.image()) : TRAP);
    this.flips[end] = (this.flips[end] ?? 0) + 1;
    if (!HARMLESS.includes(end))
      this.found.push({ harm: end, where: `${what}, at "${press.image.texts.join(' / ')}"` });
  }

  #pressAsking({ image, button }: Press): boolean {
    this.#asking.restore(image);
    return this.#asking.press(button);
  }

  #invert(press: Press, place: number, time: number): void {
    const works = this.#branches.invert(place, time, () => this.#pressAsking(press));
    const end = works ? this.#goOn(press, this.#asking.image()) : TRAP;
    this.tally[end] = (this.tally[end] ?? 0) + 1;
    if (HARMLESS.includes(end)) return;
    const where = `${this.places[place]} (${place}), time ${time}, at "${press.image.texts.join(' / ')}"`;
    this.found.push({ harm: end, where });
  }

  /** Continues without another fault, like a user who sees the resulting screens. */
  #goOn({ after, user: given }: Press, faulty: Image): string {
    if (isSame(faulty, after)) return SAME;
    const machine = this.#plain;
    machine.restore(faulty);
    const user = given.clone();
    for (let presses = 0; presses < MOST_PRESSES && machine.seed === undefined; presses++) {
      const button = user.next(machine.texts);
      if (button === undefined) break;
      if (!machine.press(button)) return TRAP;
    }
    return this.session.harm(machine, user) ?? NO_HARM;
  }
}

/**
 * Returns whether a press is tried: of consecutive presses on similar pages, such as rolls, only three are.
 */
function isOfItsOwn({ image }: Press, at: number, course: readonly Press[]): boolean {
  const kindAt = (other: number) => course[other]?.image.texts[0]?.replace(/\d+/g, '#');
  const kind = image.texts[0]!.replace(/\d+/g, '#');
  return kindAt(at - 1) !== kind || kindAt(at - 2) !== kind || kindAt(at + 1) !== kind;
}

function isSame(one: Image, other: Image): boolean {
  return (
    Buffer.compare(one.memory, other.memory) === 0 &&
    one.globals.every((value, i) => value === other.globals[i]) &&
    one.noiseUsed === other.noiseUsed &&
    one.vault.count === other.vault.count &&
    one.vault.record === other.vault.record &&
    one.texts.join() === other.texts.join()
  );
}

/** Returns a record made with the correct PIN, and the proof of this PIN. */
function storedSeed(): Pick<FakeVault, 'record' | 'proof'> {
  const vault = new FakeVault();
  const device = new KeystoreDevice({ noise: good, vault });
  device.press('rrb');
  device.enterWords(dice.mnemonic);
  device.enterPassphrase('');
  device.press('r');
  for (const digit of `${PIN}${PIN}`) for (let i = 0; i < 2; i++) device.pressDigit(digit);
  return { record: vault.record, proof: vault.proof };
}

function campaignsOf(named: string, asking: string): [Session, Campaign][] {
  const [plain, asked] = [prepare(named), prepare(asking)];
  const places = JSON.parse(readFileSync(`${asking}.json`, 'utf8')) as string[];
  const { layout } = readKeystore(named);
  return SESSIONS.map(session => [session, new Campaign(session, plain, asked, places, layout)]);
}

function proveShipped(named: string, asking: string): void {
  for (const [session, campaign] of campaignsOf(named, asking)) {
    campaign.run();
    console.log(
      `${session.name}: branches inverted: ${textOf(campaign.tally)}; bits flipped: ${textOf(campaign.flips)}`,
    );
    for (const { harm, where } of campaign.found) console.error(`${harm}: ${where}`);
    if (campaign.found.length > 0) process.exitCode = 1;
  }
}

function textOf(tally: Record<string, number>): string {
  const counted = Object.entries(tally).sort(([, a], [, b]) => b - a);
  const faults = counted.reduce((sum, [, count]) => sum + count, 0);
  return `${faults}: ${counted.map(([end, count]) => `${count} ${end}`).join(', ')}`;
}

/** Throws the first harm in a module that lacks a check or has a known bug of a product. */
function requireNoHarm(asking: string): void {
  for (const [session, campaign] of campaignsOf(join(dirname(asking), 'keystore.wasm'), asking)) {
    campaign.run(true);
    const [first] = campaign.found;
    if (first) throw new UnprovenClaim(`${session.name}: ${first.harm}: ${first.where}`);
  }
}

const [first = '', ...rest] = process.argv.slice(2);
if (first === '--control') await controlModules(rest, asking => failureOf(() => requireNoHarm(asking)));
else proveShipped(first, rest[0]!);
