// The sessions of the keystore, for single faults: new seeds, a restore and unlocks, with good and bad noise. A module
// has its `keystore.wasm` next to it.
import { createHash, pbkdf2Sync } from 'node:crypto';
import { dirname, join } from 'node:path';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { FakeVault } from '../../testkit/device/fake-vault.js';
import { KeystoreDevice } from '../../testkit/device/keystore-device.js';
import { keystore } from '../../testkit/repository/vectors.js';
import { type Layout, readKeystore } from '../keystore/layout.js';
import { HAS_NOISE, HAS_VAULT, type Image, Machine, stream } from '../keystore/machine.js';
import { follow, Guesser, Restorer, Roller, type SimulatedUser } from '../keystore/simulated-user.js';
import { openWithGlobals } from '../wasm/exports.js';
import { bitsOfGlobals, type Course, type Flip, type Subject } from './campaign.js';

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

/**
 * A press in a session without faults, with the board before and after it, and the simulated user after it.
 */
interface Press {
  image: Image;
  button: number;
  user: SimulatedUser;
  after: Image;
}

class KeystoreCourse implements Course<Image, Machine> {
  readonly images: Image[];
  readonly asking: Machine;
  readonly plain: Machine;
  readonly #presses: Press[];

  constructor(
    private readonly session: Session,
    asking: string,
    private readonly layout: Layout,
    take: (condition: number, place: number) => number,
  ) {
    const open = (path: string) => openWithGlobals(path).compiled;
    this.asking = new Machine(open(asking), session.noise, { branch: take });
    this.plain = new Machine(open(plainOf(asking)), session.noise);
    this.#presses = this.#rehearse().filter(isOfItsOwn);
    this.images = this.#presses.map(({ image }) => image);
  }

  get name(): string {
    return this.session.name;
  }

  #rehearse(): Press[] {
    const { plain: machine, session } = this;
    const { name, options, tries, user: begin, opens, harm } = session;
    if (tries !== undefined) machine.vault = { ...STORED, count: tries, mayStretch: false };
    machine.boot(options);
    const user = begin();
    const course: Press[] = [];
    follow(machine, user, (button, press) => {
      const image = machine.image();
      const works = press();
      course.push({ image, button, user: user.clone(), after: machine.image() });
      return works;
    });
    const harmed = harm(machine, user);
    if (harmed !== undefined) throw new Error(`${name}: ${harmed}, without a fault`);
    if (machine.seed?.hex !== opens)
      throw new Error(`${name}: without a fault, the session ends at "${machine.texts[0]}"`);
    return course;
  }

  /** Every bit of the fields, which come first, but only one bit of each other byte of the state; and the globals. */
  *flipsBefore(event: number): Iterable<Flip> {
    const { state, stateSize, seed } = this.layout;
    for (let i = 0; i < stateSize; i++)
      for (const bit of state + i < seed ? [0, 1, 2, 3, 4, 5, 6, 7] : [i % 8])
        yield { kind: 'state', at: state + i, bit };
    yield* bitsOfGlobals(this.images[event]!);
  }

  happen(machine: Machine, event: number): boolean {
    return machine.press(this.#presses[event]!.button);
  }

  /** Continues like a user who sees the resulting screens. */
  finish(machine: Machine, event: number, flip?: Flip): string {
    const { after, user: given } = this.#presses[event]!;
    const { plain, session } = this;
    const early = flip && plain.seed && session.harm(plain, given);
    if (early) return early;
    if (!this.happen(machine, event)) return TRAP;
    const faulty = machine.image();
    if (isSame(faulty, after)) return SAME;
    plain.restore(faulty);
    const user = given.clone();
    return follow(plain, user) ? (session.harm(plain, user) ?? NO_HARM) : TRAP;
  }

  isHarm(end: string): boolean {
    return !HARMLESS.includes(end);
  }

  describe(event: number): string {
    return `at "${this.images[event]!.texts.join(' / ')}"`;
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

const plainOf = (asking: string) => join(dirname(asking), 'keystore.wasm');

export const SUBJECT: Subject = {
  sessions: SESSIONS.length,
  controlled: [...SESSIONS.keys()],
  open: (asking, session, take) =>
    new KeystoreCourse(SESSIONS[session]!, asking, readKeystore(plainOf(asking)).layout, take),
};
