// The required behaviour of the keystore (docs/KEYSTORE.md), as a state and a step for each press;
// independent of the firmware.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { gateOf, SEED_GATES } from '../../testkit/repository/specification.js';
import { BOTH, LEFT, RIGHT } from './machine.js';

type Page =
  | 'empty'
  | 'locked'
  | 'opened'
  | 'forget'
  | 'backup'
  | 'word count'
  | 'randomness'
  | 'device part'
  | 'roll or flip'
  | 'record'
  | 'not random'
  | 'words'
  | 'discard'
  | 'question'
  | 'wrong word'
  | 'counts'
  | 'range'
  | 'keep'
  | 'passphrase'
  | 'character'
  | 'shown'
  | 'use'
  | 'fingerprint'
  | 'group'
  | 'digit'
  | 'try'
  | 'differ'
  | 'wrong PIN'
  | 'erased'
  | 'vault failed';
type Purpose = 'create' | 'restore' | 'check' | 'unlock' | 'change';

interface Vault {
  pin: string;
  words: number[];
}

export interface Model {
  page: Page;
  index: number;
  /** The open seed in hex, and its words. */
  open?: string;
  openWords?: number[];
  isBehind: boolean;
  neverLocks: boolean;
  purpose?: Purpose;
  count: number;
  isDice: boolean;
  part?: string;
  record: string;
  half: number;
  undone: boolean;
  words: number[];
  /** Index of the requested or entered word. */
  word: number;
  /** Remaining range of the list. */
  from: number;
  size: number;
  presses: number;
  typed: string;
  fresh?: string;
  isRight?: boolean;
  entering?: 'New PIN' | 'Repeat PIN' | 'PIN';
  pin: string;
  firstPin: string;
  group: number;
  noiseKey?: Uint8Array;
  order: number[];
  /** State that survives forgetting: the used noise, and the vault. */
  noiseUsed: number;
  stored?: Vault;
  attempts: number;
}

export interface Board {
  noise: Uint8Array | undefined;
  hasVault: boolean;
}

const RAW = gateOf('raw bytes read from a noise source for a seed, and for each PIN');
/** The first byte of the input from which the order of a PIN's digits is derived. */
const FOR_ORDER = 1;
const COLUMNS = 21;
const COUNTS = [...SEED_GATES.keys()];
const MOST_PERIOD = gateOf('longest period of a repeating record that is refused, in rolls or flips');
const WORD_PRESSES = gateOf('presses that choose a word other than the last');
const MOST_CHARACTERS = gateOf('maximum number of characters of a passphrase');
const DIGITS = gateOf('digits of a PIN');
const TRIES = gateOf('wrong PINs in a row after which the seed is erased');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const FIRST = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
const ENTRIES = ['Done', 'Delete', ...FIRST, ...PRINTABLE.filter(each => !FIRST.includes(each))];

const BLANK: Model = {
  page: 'empty',
  index: 0,
  isBehind: false,
  neverLocks: false,
  count: 0,
  isDice: false,
  record: '',
  half: 0,
  undone: false,
  words: [],
  word: 0,
  from: 0,
  size: 0,
  presses: 0,
  typed: '',
  pin: '',
  firstPin: '',
  group: 0,
  order: [],
  noiseUsed: 0,
  attempts: 0,
};

const sha256 = (...parts: (string | Uint8Array)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

const seeds = new Map<string, string>();

function seedOf(words: readonly number[], passphrase: string): string {
  const phrase = words.map(word => wordlist[word]).join(' ');
  const key = `${phrase}|${passphrase}`;
  const seed =
    seeds.get(key) ?? pbkdf2Sync(phrase, `mnemonic${passphrase}`, 2048, 64, 'sha512').toString('hex');
  seeds.set(key, seed);
  return seed;
}

const fingerprintOf = (seed: string) =>
  sha256('ZBC-SEED-FINGERPRINT', Buffer.from(seed, 'hex')).toString('hex', 0, 4);

const entropies = new Map<string, Uint8Array>();

function entropyOf(words: readonly number[]): Uint8Array {
  const phrase = words.map(word => wordlist[word]).join(' ');
  const entropy = entropies.get(phrase) ?? mnemonicToEntropy(phrase, wordlist);
  entropies.set(phrase, entropy);
  return entropy;
}

/** Returns the word at a position in the list of last words that are valid after the other words. */
function lastWord(before: readonly number[], count: number, place: number): number {
  const width = count / 3;
  const bits = [
    ...before.map(word => word.toString(2).padStart(11, '0')),
    place.toString(2).padStart(11 - width, '0'),
  ];
  const bytes = Uint8Array.from(bits.join('').match(/.{8}/g)!, byte => Number.parseInt(byte, 2));
  return (place << width) | (sha256(bytes)[0]! >> (8 - width));
}

export const start = (): Model => ({ ...BLANK });

export const needed = ({ isDice, count }: Model) => SEED_GATES.get(count)![isDice ? 'rolls' : 'flips'];

/** The keystore of one board. */
export class Keystore {
  constructor(private readonly board: Board) {}

  /** Returns the texts on the screen. */
  texts(m: Model): string[] {
    const [title, ...lines] = this.#page(m);
    return [title!, ...lines.filter(line => line !== '')];
  }

  /**
   * Returns the page's name in docs/SPECIFICATION.md#keystore-pages, which has a row for each page of a menu.
   */
  nameOf(m: Model): string {
    if (m.isBehind) return 'signer';
    return ['empty', 'locked', 'opened', 'counts'].includes(m.page)
      ? `${m.page}: ${this.#page(m)[0]}`
      : m.page;
  }

  get #openMenu(): string[] {
    const vault = this.board.hasVault ? ['Lock', 'Change PIN'] : [];
    return ['ZBC Signer', 'Check backup', 'Fingerprint', 'Idle lock', ...vault, 'Forget seed', 'Version'];
  }

  #page(m: Model): string[] {
    const both = 'press both';
    const wordOf = (index: number) => wordlist[m.words[index]!]!;
    switch (m.page) {
      case 'empty':
        return [
          ['ZBC Signer', 'has no seed'],
          ['New seed', both],
          ['Restore seed', both],
          ['Version', '1.0.0'],
        ][m.index]!;
      case 'locked':
        return [
          ['ZBC Signer', 'is locked'],
          ['Unlock', both],
          ['Version', '1.0.0'],
        ][m.index]!;
      case 'opened': {
        const entry = this.#openMenu[m.index]!;
        const lower: Record<string, string> = {
          'ZBC Signer': 'is open',
          Fingerprint: fingerprintOf(m.open!),
          'Idle lock': m.neverLocks ? 'never' : 'after 30 min',
          Version: '1.0.0',
        };
        return [entry, lower[entry] ?? both];
      }
      case 'forget':
        return ['Forget seed', '<  Keep it', '<> Forget it'];
      case 'backup':
        return ['Backup', m.isRight ? 'is right' : 'is another'];
      case 'word count':
        return ['Words', '<  12 words', '<> Back', '>  24 words'];
      case 'randomness':
        return ['Randomness', '<  Dice', '<> Back', '>  Coins'];
      case 'device part':
        return ["Device's part", ...(m.part?.match(/.{16}/g) ?? ['none'])];
      case 'roll or flip': {
        const title = `${m.isDice ? 'Roll' : 'Flip'} ${m.record.length + 1} of ${needed(m)}`;
        return [title, m.record.slice(-COLUMNS), ...eventOptions(m)];
      }
      case 'record':
        return reading(m.isDice ? 'Rolls' : 'Flips', m.index, m.record.match(/.{1,21}/g)!);
      case 'not random':
        return ['Not random', whyNotRandom(m)!, '<> Give up', '>  Start again'];
      case 'words':
        return reading(
          'Words',
          m.index,
          m.words.map((_, i) => `${i + 1} ${wordOf(i)}`),
        );
      case 'discard':
        return ['Discard seed', '<  No', '<> Yes'];
      case 'question':
        return [`Word ${m.word + 1} is`, ...options(candidates(m).map(word => wordlist[word]!))];
      case 'wrong word':
        return ['Wrong word', `Word ${m.word + 1} is another`];
      case 'counts':
        return [m.index === 5 ? 'Back' : `${COUNTS[m.index]} words`, both];
      case 'range':
        return [
          `Word ${m.word + 1} of ${m.count}`,
          ...this.#ranges(m, at => wordlist[this.#listed(m, at)]!, '-'),
        ];
      case 'keep':
        return [`Word ${m.word + 1} of ${m.count}`, wordOf(m.word), '<  Change', '<> Back', '>  Keep'];
      case 'passphrase':
        return ['Passphrase', '<  None', '<> Back', '>  Enter one'];
      case 'character': {
        const name = (at: number) => (ENTRIES[at] === ' ' ? 'space' : ENTRIES[at]!);
        return [`Character ${m.typed.length + 1}`, m.typed.slice(-COLUMNS), ...this.#ranges(m, name, ' to ')];
      }
      case 'shown':
        return reading('Passphrase', 0, m.typed.match(/.{1,21}/g)!);
      case 'use':
        return ['Passphrase', '<  Change', '>  Use it'];
      case 'fingerprint':
        return ['Fingerprint', fingerprintOf(m.fresh!)];
      case 'group':
        return [
          `${m.entering} ${m.pin.length + 1} of ${DIGITS}`,
          ...options([0, 1, 2].map(i => groupOf(m, i).join(' '))),
        ];
      case 'digit':
        return [
          `${m.entering} ${m.pin.length + 1} of ${DIGITS}`,
          ...options(groupOf(m, m.group).map(String)),
        ];
      case 'try':
        return ['PIN', '<  Again', '>  Try it'];
      case 'differ':
        return ['PINs differ', both];
      case 'wrong PIN':
        return ['Wrong PIN', `${TRIES - m.attempts} ${m.attempts === TRIES - 1 ? 'try' : 'tries'} left`];
      case 'erased':
        return ['Seed erased', both];
      case 'vault failed':
        return ['Vault', 'has failed'];
    }
  }

  #ranges(m: Model, name: (at: number) => string, joint: string): string[] {
    return ['<  ', '<> ', '>  '].flatMap((mark, i) => {
      const [from, size] = thirds(m)[i]!;
      if (size === 0) return [];
      return [`${mark}${name(from)}${size === 1 ? '' : `${joint}${name(from + size - 1)}`}`];
    });
  }

  #listed({ word, words, count }: Model, at: number): number {
    return word === count - 1 ? lastWord(words.slice(0, count - 1), count, at) : at;
  }

  /** Returns the state after a press, and after the resulting computation. */
  press(before: Model, button: number): Model {
    const m = { ...before, words: [...before.words] };
    if (m.isBehind) return m;
    this.#act(m, button);
    return m;
  }

  /** Returns the state after half an hour without a press. */
  idle(m: Model): Model {
    if (['empty', 'locked', 'vault failed'].includes(m.page) || (m.open && m.neverLocks)) return m;
    return this.#forgotten(m);
  }

  /** Returns the state after a call of the vault has failed. Only a restart leads to another page. */
  failed(m: Model): Model {
    return { ...this.#forgotten(m), page: 'vault failed' };
  }

  openMenu(m: Model): Model {
    return m.open ? { ...m, isBehind: false, page: 'opened', index: 0 } : m;
  }

  #act(m: Model, button: number): void {
    const is = (...[left, both, right]: (() => void)[]) => [left, right, both][button - 1]?.();
    const go = (page: Page, index = 0) => Object.assign(m, { page, index });
    const forget = () => Object.assign(m, this.#forgotten(m));
    switch (m.page) {
      case 'empty':
        if (!moves(m, button, 4)) return;
        if (m.index === 1) go('word count');
        if (m.index === 2) Object.assign(go('counts'), { purpose: 'restore' });
        return;
      case 'locked':
        if (moves(m, button, 3) && m.index === 1)
          this.#beginPin(Object.assign(m, { purpose: 'unlock' }), 'PIN');
        return;
      case 'opened':
        if (moves(m, button, this.#openMenu.length)) this.#choose(m, this.#openMenu[m.index]!);
        return;
      case 'forget':
        if (button === LEFT) go('opened', this.#openMenu.indexOf('Forget seed'));
        if (button === BOTH) {
          if (this.board.hasVault) this.#erase(m);
          forget();
        }
        return;
      case 'backup':
        if (button === BOTH) go('opened', 1);
        return;
      case 'word count':
        if (button === BOTH) Object.assign(m, this.#forgotten(m), { page: 'empty', index: 1 });
        else Object.assign(go('randomness'), { purpose: 'create', count: button === LEFT ? 12 : 24 });
        return;
      case 'randomness':
        if (button === BOTH) go('word count');
        else {
          m.isDice = button === LEFT;
          if (this.board.noise && !m.part) m.part = sha256(this.#draw(m, RAW)).toString('hex');
          go('device part');
        }
        return;
      case 'device part':
        is(
          () => go('randomness'),
          () => {},
          () => go('roll or flip'),
        );
        return;
      case 'roll or flip':
        pressEvent(m, button);
        return;
      case 'record':
        turn(
          m,
          button,
          Math.ceil(needed(m) / COLUMNS),
          () => takeBack(m),
          () => endRecord(m),
        );
        return;
      case 'not random':
        if (button === BOTH) Object.assign(m, this.#forgotten(m), { page: 'empty', index: 1 });
        if (button === RIGHT) Object.assign(go('roll or flip'), { record: '' });
        return;
      case 'words':
        turn(
          m,
          button,
          m.count,
          () => go('discard'),
          () => ask(m),
        );
        return;
      case 'discard':
        if (button === LEFT) go('words');
        if (button === BOTH) Object.assign(m, this.#forgotten(m), { page: 'empty', index: 1 });
        return;
      case 'question':
        if (candidates(m)[[LEFT, BOTH, RIGHT].indexOf(button)] !== m.words[m.word]) go('wrong word');
        else {
          m.word += 1;
          ask(m);
        }
        return;
      case 'wrong word':
        if (button !== BOTH) go('words');
        return;
      case 'counts':
        if (!moves(m, button, 6)) return;
        if (m.index === 5) this.#leaveRestore(m);
        else beginWord(Object.assign(m, { count: COUNTS[m.index]! }), 0);
        return;
      case 'range':
        this.#keepRange(m, button);
        return;
      case 'keep':
        if (button === LEFT) beginWord(m, m.word);
        else if (button === BOTH && m.word === 0) this.#leaveRestore(m);
        else if (button === BOTH) m.word -= 1;
        else if (m.word === m.count - 1) go('passphrase');
        else if (isEntered(m, m.word + 1)) m.word += 1;
        else beginWord(m, m.word + 1);
        return;
      case 'passphrase':
        m.typed = '';
        if (button === LEFT) this.#stretch(m);
        else if (button === RIGHT) beginCharacter(m);
        else if (m.purpose === 'create') go('words');
        else if (m.purpose === 'unlock') Object.assign(m, this.#forgotten(m), { page: 'locked', index: 1 });
        else Object.assign(go('keep'), { word: m.count - 1 });
        return;
      case 'character':
        pressCharacter(m, button);
        return;
      case 'shown':
        turn(
          m,
          button,
          1,
          () => beginCharacter(m),
          () => go('use'),
        );
        return;
      case 'use':
        if (button === LEFT) beginCharacter(m);
        if (button === RIGHT) this.#stretch(m);
        return;
      case 'fingerprint':
        if (button === LEFT) {
          delete m.fresh;
          go('passphrase');
        } else if (button === RIGHT) {
          if (this.board.hasVault && m.purpose !== 'unlock') this.#beginPin(m, 'New PIN');
          else this.#open(m);
        }
        return;
      case 'group':
        go('digit');
        m.group = [LEFT, BOTH, RIGHT].indexOf(button);
        return;
      case 'digit':
        m.pin += groupOf(m, m.group)[[LEFT, BOTH, RIGHT].indexOf(button)];
        m.group = 0;
        this.#endDigit(m);
        return;
      case 'try':
        if (button === LEFT) this.#beginPin(m, 'PIN');
        if (button === RIGHT) this.#try(m);
        return;
      case 'differ':
        if (button === BOTH) this.#beginPin(m, 'New PIN');
        return;
      case 'wrong PIN':
        if (button !== BOTH) return;
        if (m.open) Object.assign(m, this.#entered(m), { page: 'opened', index: 0 });
        else Object.assign(m, this.#forgotten(m), { page: 'locked', index: 1 });
        return;
      case 'erased':
        if (button === BOTH) go('empty');
        return;
    }
  }

  #choose(m: Model, entry: string): void {
    const go = (page: Page) => Object.assign(m, { page, index: 0 });
    if (entry === 'ZBC Signer') m.isBehind = true;
    if (entry === 'Check backup') Object.assign(go('counts'), { purpose: 'check' });
    if (entry === 'Idle lock') m.neverLocks = !m.neverLocks;
    if (entry === 'Lock') Object.assign(m, this.#forgotten(m));
    if (entry === 'Change PIN') this.#beginPin(Object.assign(m, { purpose: 'change' }), 'PIN');
    if (entry === 'Forget seed') go('forget');
  }

  /** Only the used noise and the vault remain. */
  #forgotten({ noiseUsed, stored, attempts }: Model): Model {
    return {
      ...BLANK,
      ...{ open: undefined, openWords: undefined, purpose: undefined, part: undefined, fresh: undefined },
      ...{ isRight: undefined, entering: undefined, noiseKey: undefined },
      noiseUsed,
      attempts,
      ...(stored && { stored }),
      page: stored ? 'locked' : 'empty',
    } as unknown as Model;
  }

  /** Like `#forgotten`, but keeps the open seed. */
  #entered(m: Model): Model {
    const { open, openWords, neverLocks } = m;
    return { ...this.#forgotten(m), open, openWords, neverLocks } as Model;
  }

  #leaveRestore(m: Model): void {
    if (m.purpose === 'check') Object.assign(m, this.#entered(m), { page: 'opened', index: 1 });
    else Object.assign(m, this.#forgotten(m), { page: 'empty', index: 2 });
  }

  #keepRange(m: Model, button: number): void {
    if (!keepThird(m, button)) return;
    const isLast = m.word === m.count - 1;
    if (m.presses < (isLast ? SEED_GATES.get(m.count)!.lastPresses : WORD_PRESSES)) return;
    m.words[m.word] = this.#listed(m, m.from);
    Object.assign(m, { page: 'keep', index: 0 });
  }

  #stretch(m: Model): void {
    const seed = seedOf(m.words, m.typed);
    if (m.purpose !== 'check') {
      Object.assign(m, { fresh: seed, page: 'fingerprint', index: 0 });
      return;
    }
    Object.assign(m, this.#entered(m), { page: 'backup', index: 0, isRight: seed === m.open });
  }

  #open(m: Model): void {
    const { fresh, words } = m;
    Object.assign(m, this.#forgotten(m), {
      open: fresh,
      openWords: words,
      isBehind: true,
      page: 'opened',
      index: 0,
    });
  }

  #beginPin(m: Model, entering: NonNullable<Model['entering']>): void {
    m.entering = entering;
    m.pin = '';
    m.noiseKey = createHash('sha512').update(this.#draw(m, RAW)).digest();
    this.#shuffle(m);
  }

  #endDigit(m: Model): void {
    if (m.pin.length < DIGITS) this.#shuffle(m);
    else if (m.entering === 'PIN') Object.assign(m, { page: 'try', index: 0 });
    else if (m.entering === 'New PIN') {
      m.firstPin = m.pin;
      this.#beginPin(m, 'Repeat PIN');
    } else if (m.pin !== m.firstPin) Object.assign(m, { page: 'differ', index: 0, pin: '', firstPin: '' });
    else {
      m.stored = { pin: m.pin, words: m.words };
      m.attempts = 0;
      if (m.purpose === 'change') Object.assign(m, this.#entered(m), { page: 'opened', index: 0 });
      else this.#open(m);
    }
  }

  #try(m: Model): void {
    m.attempts += 1;
    if (m.pin === m.stored!.pin) {
      m.attempts = 0;
      m.words = [...m.stored!.words];
      m.count = m.words.length;
      if (m.purpose === 'change') this.#beginPin(m, 'New PIN');
      else Object.assign(m, { page: 'passphrase', index: 0 });
    } else if (m.attempts < TRIES) {
      const { attempts } = m;
      Object.assign(m, { page: 'wrong PIN', index: 0, attempts });
    } else {
      this.#erase(m);
      Object.assign(m, this.#forgotten(m), { page: 'erased' });
    }
  }

  #erase(m: Model): void {
    delete m.stored;
    m.attempts = 0;
  }

  #draw(m: Model, length: number): Uint8Array {
    const given = this.board.noise!.subarray(m.noiseUsed, m.noiseUsed + length);
    m.noiseUsed += length;
    return given;
  }

  /** Shuffles as Fisher and Yates do, but skips bytes that would favour a place. */
  #shuffle(m: Model): void {
    const bytes = [...createHmac('sha512', m.noiseKey!).update(Buffer.of(FOR_ORDER, m.pin.length)).digest()];
    m.order = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (let last = 8; last > 0; last--) {
      const byte = bytes.splice(0, bytes.findIndex(each => each < 256 - (256 % (last + 1))) + 1).at(-1)!;
      const other = byte % (last + 1);
      [m.order[last], m.order[other]] = [m.order[other]!, m.order[last]!];
    }
    Object.assign(m, { page: 'group', index: 0 });
  }
}

const options = (texts: string[]) => texts.map((text, i) => `${['<  ', '<> ', '>  '][i]}${text}`);
const groupOf = ({ order }: Model, group: number) => order.slice(3 * group, 3 * group + 3);

function reading(title: string, index: number, lines: string[]): string[] {
  const pages = Math.ceil(lines.length / 4);
  return [pages === 1 ? title : `${title} (${index + 1}/${pages})`, ...lines.slice(4 * index, 4 * index + 4)];
}

/** Moves in a menu; returns whether the press selects the current page. */
function moves(m: Model, button: number, pages: number): boolean {
  if (button === LEFT) m.index = Math.max(m.index - 1, 0);
  if (button === RIGHT) m.index = Math.min(m.index + 1, pages - 1);
  return button === BOTH;
}

/** Turns the pages of a text with this many lines, or leaves the text. */
function turn(m: Model, button: number, lines: number, back: () => void, on: () => void): void {
  const last = Math.ceil(lines / 4) - 1;
  if (button === LEFT && m.index === 0) back();
  else if (button === RIGHT && m.index === last) on();
  else if (button === LEFT) m.index -= 1;
  else if (button === RIGHT) m.index += 1;
}

function eventOptions({ isDice, half }: Model): string[] {
  if (!isDice) return options(['Heads', 'Undo', 'Tails']);
  if (half === 0) return options(['1 or 2', '3 or 4', '5 or 6']);
  const lower = 2 * [LEFT, BOTH, RIGHT].indexOf(half) + 1;
  return options([`${lower}`, 'Undo', `${lower + 1}`]);
}

function pressEvent(m: Model, button: number): void {
  const keep = (event: string) => {
    Object.assign(m, { record: m.record + event, half: 0, undone: false });
    if (m.record.length === needed(m)) Object.assign(m, { page: 'record', index: 0 });
  };
  if (!m.isDice) {
    if (button === BOTH) takeBack(m);
    else keep(button === LEFT ? '1' : '0');
  } else if (m.half === 0) m.half = button;
  else if (button !== BOTH) keep(`${2 * [LEFT, BOTH, RIGHT].indexOf(m.half) + (button === LEFT ? 1 : 2)}`);
  else {
    m.half = 0;
    if (m.undone) takeBack(m);
    else m.undone = true;
  }
}

function takeBack(m: Model): void {
  if (m.record === '') Object.assign(m, { page: 'device part', index: 0, undone: false });
  else Object.assign(m, { page: 'roll or flip', index: 0, record: m.record.slice(0, -1) });
}

function whyNotRandom(m: Model): string | undefined {
  const { record } = m;
  const equal = Math.max(...'0123456'.split('').map(value => record.split(value).length - 1));
  if (equal > SEED_GATES.get(m.count)![m.isDice ? 'equalRolls' : 'equalFlips'])
    return `${equal} of ${record.length} are equal`;
  for (let period = 1; period <= MOST_PERIOD; period++)
    if (record.slice(period) === record.slice(0, -period)) return `It repeats after ${period}`;
  return undefined;
}

function endRecord(m: Model): void {
  if (whyNotRandom(m)) {
    Object.assign(m, { page: 'not random', index: 0 });
    return;
  }
  const entropy = sha256(m.part ?? '', m.record).subarray(0, (m.count * 4) / 3);
  m.words = entropyToMnemonic(entropy, wordlist)
    .split(' ')
    .map(word => wordlist.indexOf(word));
  delete m.part;
  Object.assign(m, { page: 'words', index: 0, word: 0, record: '' });
}

/** Returns the other distinct words of the seed, in the order of the list. */
const others = ({ words, word }: Model) =>
  [...new Set(words)].filter(each => each !== words[word]).sort((a, b) => a - b);

/** Returns the words to choose from in the check (docs/KEYSTORE.md#the-check). */
function candidates(m: Model): number[] {
  const drawn = createHmac('sha256', entropyOf(m.words))
    .update('ZBC-CHECK')
    .update(Buffer.of(m.word))
    .digest();
  const rest = others(m);
  const [a] = rest.splice(drawn.readUInt32BE(0) % rest.length, 1);
  const b = rest[drawn.readUInt32BE(4) % rest.length];
  const list = [a!, b!];
  list.splice(drawn[8]! % 3, 0, m.words[m.word]!);
  return list;
}

function ask(m: Model): void {
  while (m.word < m.count && others(m).length < 2) m.word += 1;
  Object.assign(m, { page: m.word < m.count ? 'question' : 'passphrase', index: 0 });
}

/** Returns whether a word was entered before and, if it is the last one, still fits the checksum. */
export function isEntered({ words, count }: Model, word: number): boolean {
  const place = words[word]! >> (count / 3);
  return (
    words.length > word && (word < count - 1 || lastWord(words.slice(0, word), count, place) === words[word])
  );
}

function beginWord(m: Model, word: number): void {
  const size = word === m.count - 1 ? 2048 >> (m.count / 3) : 2048;
  Object.assign(m, { page: 'range', index: 0, word, from: 0, size, presses: 0 });
}

function beginCharacter(m: Model): void {
  Object.assign(m, { page: 'character', index: 0, from: 0, size: ENTRIES.length, presses: 0 });
}

/** Returns the start and the size of the part of the range that each button chooses. */
export function thirds({ from, size }: Pick<Model, 'from' | 'size'>): [from: number, size: number][] {
  if (size === 1)
    return [
      [0, 0],
      [from, 1],
      [0, 0],
    ];
  if (size === 2)
    return [
      [from, 1],
      [0, 0],
      [from + 1, 1],
    ];
  const first = Math.ceil(size / 3);
  const second = Math.ceil((size - first) / 2);
  return [
    [from, first],
    [from + first, second],
    [from + first + second, size - first - second],
  ];
}

function keepThird(m: Model, button: number): boolean {
  const [from, size] = thirds(m)[[LEFT, BOTH, RIGHT].indexOf(button)]!;
  if (size === 0) return false;
  Object.assign(m, { from, size, presses: m.presses + 1 });
  return true;
}

function pressCharacter(m: Model, button: number): void {
  if (!keepThird(m, button) || m.size > 1) return;
  const entry = ENTRIES[m.from]!;
  const isFull = entry.length === 1 && m.typed.length === MOST_CHARACTERS;
  if (entry === 'Done' || isFull)
    Object.assign(m, { page: m.typed === '' ? 'passphrase' : 'shown', index: 0 });
  else {
    m.typed = entry === 'Delete' ? m.typed.slice(0, -1) : m.typed + entry;
    beginCharacter(m);
  }
}
