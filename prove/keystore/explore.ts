// explore MODULE: tries every press in every state of the keystore, until no state is new, and compares each
// outcome with a model, on boards without a noise source, with a noise source, and with a vault. Of the
// states that differ only in their data, only the first is explored. --control MODULE…: explores modules with
// a planted fault, each of which must be found.
import { Cells } from '../../testkit/repository/specification.js';
import { keystore } from '../../testkit/repository/vectors.js';
import { readPage } from '../read-back/page.js';
import { type Field, fieldAt, type Layout, readKeystore, STATIC } from './layout.js';
import {
  BOTH,
  EMPTY_VAULT,
  HAS_NOISE,
  HAS_VAULT,
  type Image,
  LEFT,
  Machine,
  RIGHT,
  stream,
} from './machine.js';
import { isEntered, Keystore, type Model, needed, start, thirds } from './model.js';
import { FalseClaim, prepare, run } from './run.js';

const HALF_HOUR = 1800;
const NOISE = stream('exploration', 1 << 18);
const NAMES = ['', 'left', 'right', 'both'];
const COLUMNS = ['', 'Left', 'Right', 'Both'];
const PIN = '314159';
/** The pages to which each state must lead. Only a restart ends the last one. */
const MENUS = ['empty', 'locked', 'opened', 'vault failed'];

interface Kind {
  name: string;
  options: number;
  noise: Uint8Array | undefined;
  hasVault: boolean;
}

const KINDS: Kind[] = [
  { name: 'without a noise source', options: 0, noise: undefined, hasVault: false },
  { name: 'with a noise source', options: HAS_NOISE, noise: NOISE, hasVault: false },
  { name: 'with a vault', options: HAS_NOISE | HAS_VAULT, noise: NOISE, hasVault: true },
];

interface Reached {
  image: Image;
  model: Model;
  before: number;
  event: string;
  /** Indices of the states that presses lead to. */
  next: number[];
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

class Explorer {
  readonly #reached: Reached[] = [];
  readonly #frames = new Map<string, string>();
  #transitions = 0;
  #forgettings = 0;
  #opened = 0;
  #interruptions = 0;
  #failures = 0;
  /** Number of calls of the vault in the last event, and the index of the call that fails. */
  #asked = 0;
  #failing: number | undefined;
  #failedMemory: Uint8Array | undefined;
  readonly #machine: Machine;
  readonly #model: Keystore;
  readonly #seen = new Map<string, number>();
  readonly #blank: Image;
  readonly #fresh: Image;
  readonly #rubbish: [number, Uint8Array][];

  constructor(
    private readonly kind: Kind,
    private readonly prepared: WebAssembly.Module,
    private readonly layout: Layout,
    private readonly cells: Cells,
  ) {
    this.#machine = new Machine(prepared, kind.noise);
    this.#model = new Keystore({ noise: kind.noise, hasVault: kind.hasVault });
    this.#machine.onVault = () => (this.#asked++ === this.#failing ? 0 : undefined);
    this.#blank = this.#machine.image();
    this.#machine.boot(kind.options);
    this.#fresh = this.#machine.image();
    this.#rubbish = layout.spare.map(([from, to]) => [
      from,
      Uint8Array.from({ length: to - from }, (_, i) => (i * 167 + 13) & 0xff),
    ]);
  }

  explore(): string {
    this.#judge(start(), 'the start');
    this.#add({ image: this.#fresh, model: start(), before: -1, event: '', next: [] });
    for (let at = 0; at < this.#reached.length; at++) {
      this.#tryAll(at);
      if (this.kind.hasVault && at + 1 === this.#reached.length) this.#failStarts();
    }
    const [trapped] = this.#trapped();
    if (trapped) throw new FalseClaim(`no presses lead to a menu from ${trapped}`);
    return (
      `a board ${this.kind.name}: ${this.#reached.length} states and ${this.#transitions} presses until no state was new, each also with ` +
      `garbage in the work space: ${this.#frames.size} different screens, a seed is open ${this.#opened} times, ` +
      `${this.#forgettings} states from which everything is forgotten, ${this.#interruptions} interrupted computations, ${this.#failures} failing calls of a vault; each state leads to a menu`
    );
  }

  #tryAll(at: number): void {
    const { model } = this.#reached[at]!;
    for (const button of this.#order(model)) if (this.#isExplored(model, button)) this.#press(at, button);
    this.#nothing(at);
    this.#idle(at);
    if (model.open) this.#openMenu(at);
  }

  /**
   * Orders presses: the press of a typical session comes first, because only the first of similar states
   * counts.
   */
  #order(m: Model): number[] {
    const buttons = [LEFT, RIGHT, BOTH];
    const wanted = this.#wanted(m);
    return wanted ? [wanted, ...buttons.filter(button => button !== wanted)] : buttons;
  }

  #wanted(m: Model): number | undefined {
    const ofThree = [LEFT, BOTH, RIGHT];
    if (m.page === 'roll or flip') {
      const event = recordOf(m)[m.record.length]!;
      if (!m.isDice) return event === '1' ? LEFT : RIGHT;
      return m.half === 0 ? ofThree[(Number(event) - 1) >> 1] : Number(event) % 2 ? LEFT : RIGHT;
    }
    if (m.page === 'range' && m.purpose === 'check') {
      const word = m.openWords!.length === m.count ? m.openWords![m.word]! : 0;
      const place = m.word === m.count - 1 ? word >> (m.count / 3) : word;
      return ofThree[thirds(m).findIndex(([from, size]) => place >= from && place < from + size)];
    }
    if (m.page === 'group' || m.page === 'digit') {
      const digit = Number(PIN[m.pin.length]);
      const at = m.order.indexOf(digit);
      return ofThree[m.page === 'group' ? Math.floor(at / 3) : at % 3];
    }
    return undefined;
  }

  /**
   * Returns whether a press is explored. On the board with a vault, coins and seeds of other lengths than 12
   * words are not.
   */
  #isExplored({ page, index }: Model, button: number): boolean {
    if (!this.kind.hasVault) return true;
    if (page === 'word count' || page === 'randomness') return button !== RIGHT;
    return page !== 'counts' || button !== BOTH || index === 0 || index === 5;
  }

  #press(at: number, button: number): void {
    const { image, model } = this.#reached[at]!;
    const machine = this.#machine;
    const wanted = this.#model.press(model, button);
    const where = () => `${this.#path(at)} ${NAMES[button]}`;
    const [row, outcome] = [this.#model.nameOf(model), this.#model.nameOf(wanted)];
    if (!this.cells.meet(row, COLUMNS[button]!, outcome))
      throw new FalseClaim(`the specification does not allow the outcome "${outcome}": ${where()}`);
    machine.restore(image);
    this.#asked = 0;
    if (!machine.press(button)) throw new FalseClaim(`the module traps: ${where()}`);
    const asked = this.#asked;
    this.#transitions++;
    this.#judge(wanted, where);
    const after = machine.image();
    this.#pressOnRubbish(image, button, after, where);
    this.#interrupt(this.#reached[at]!, button, where);
    const { next } = this.#reached[at]!;
    for (let call = 0; call < asked; call++) {
      if (!this.cells.meet(row, COLUMNS[button]!, 'vault failed'))
        throw new FalseClaim(`the specification does not allow a failing vault: ${where()}`);
      next.push(this.#fail(image, call, at, NAMES[button]!, () => machine.press(button)));
    }
    next.push(this.#add({ image: after, model: wanted, before: at, event: NAMES[button]!, next: [] }));
  }

  /** Proves that the outcome of a press does not depend on the content of the work space. */
  #pressOnRubbish(image: Image, button: number, after: Image, where: () => string): void {
    const machine = this.#machine;
    machine.restore(image);
    for (const [from, bytes] of this.#rubbish) machine.memory.set(bytes, from);
    if (!machine.press(button))
      throw new FalseClaim(`the module traps with garbage in the work space: ${where()}`);
    const again = machine.image();
    const { state, stateSize } = this.layout;
    const stateOf = ({ memory }: Image) => memory.subarray(state, state + stateSize);
    const isEqual =
      isSame(stateOf(after), stateOf(again)) && after.texts.join('\n') === again.texts.join('\n');
    if (!isEqual) throw new FalseClaim(`the outcome depends on the work space: ${where()}`);
  }

  /**
   * Proves that, during a computation, presses have no effect, and half an hour forgets everything, as on
   * each page.
   */
  #interrupt({ image, model }: Reached, button: number, where: () => string): void {
    const machine = this.#machine;
    machine.restore(image);
    machine.app.button(button);
    if (machine.app.work() === 0) return;
    this.#interruptions++;
    const begun = machine.image().memory;
    for (const pressed of [LEFT, RIGHT, BOTH]) machine.app.button(pressed);
    if (!isSame(machine.image().memory, begun))
      throw new FalseClaim(`a press has an effect during the computation of ${where()}`);
    if (model.open && model.neverLocks) return;
    machine.app.idle(HALF_HOUR);
    machine.work();
    const page = machine.vault.record ? 'locked' : 'empty';
    if (machine.texts[0] !== 'ZBC Signer' || !isSame(machine.image().memory, this.#freshOf(page)))
      throw new FalseClaim(`half an hour leaves data in memory during the computation of ${where()}`);
  }

  /** Lets each call of the vault fail at a start, without a record, with a record, and after ten attempts. */
  #failStarts(): void {
    const stored = this.#reached.find(({ image }) => image.vault.record)!.image.vault;
    for (const vault of [EMPTY_VAULT, stored, { ...stored, count: 10 }])
      for (let call = 0; call === 0 || call < this.#asked; call++)
        this.#fail({ ...this.#blank, vault }, call, 0, 'start', () => this.#machine.boot(this.kind.options));
  }

  /**
   * Lets a call of the vault fail. All data must be forgotten, and the resulting page is explored like any
   * other. Returns the index of the state.
   */
  #fail(image: Image, call: number, before: number, event: string, act: () => void): number {
    const machine = this.#machine;
    const { model } = this.#reached[before]!;
    machine.restore(image);
    this.#asked = 0;
    this.#failing = call;
    act();
    this.#failing = undefined;
    this.#failures++;
    const where = () => `${this.#path(before)} ${event}, where call ${call} of the vault fails`;
    const failed = this.#model.failed(model);
    this.#judge(failed, where);
    const after = machine.image();
    const hasRecord = fieldAt(this.layout, 'hasRecord');
    const left = after.memory.slice();
    left[hasRecord] = 0;
    this.#failedMemory ??= left;
    if (!isSame(left, this.#failedMemory)) throw new FalseClaim(`data is left in memory: ${where()}`);
    return this.#add({ image: after, model: failed, before, event: `${event} (failing)`, next: [] });
  }

  /** Checks texts, pixels, and the signer's seed. */
  #judge(wanted: Model, where: string | (() => string)): void {
    const machine = this.#machine;
    const place = () => (typeof where === 'string' ? where : where());
    if (!wanted.isBehind) {
      const texts = this.#model.texts(wanted);
      if (!this.cells.meet(this.#model.nameOf(wanted), 'Screen', texts.map(line => `${line}\n`).join('')))
        throw new FalseClaim(`the specification does not have ${texts.join(' / ')}: ${place()}`);
      this.#judgeScreen(texts, wanted.page, place);
    }
    const seed = machine.seed;
    const given = wanted.isBehind ? wanted.open : undefined;
    if (seed?.hex !== given)
      throw new FalseClaim(`the signer gets the seed ${seed?.hex}, not ${given}: ${place()}`);
    if (seed?.isInFront)
      throw new FalseClaim(`the keystore is in front, but the signer gets a seed: ${place()}`);
    if (machine.app.locked() !== (given ? 0 : 1))
      throw new FalseClaim(`locked() returns a wrong value: ${place()}`);
    if (given) this.#opened++;
  }

  #judgeScreen(wanted: string[], page: Model['page'], place: () => string): void {
    const { texts, frame } = this.#machine;
    const text = wanted.join('\n');
    if (texts.join('\n') !== text)
      throw new FalseClaim(`the screen shows ${texts.join(' / ')}, not ${wanted.join(' / ')}: ${place()}`);
    const pixels = Buffer.from(frame).toString('latin1', 0, 59 * 16);
    // A fingerprint is shown on a page of its own and in the menu, with different pixels.
    const key = page === 'fingerprint' ? `${text}\n` : text;
    const known = this.#frames.get(key);
    if (known === undefined) {
      this.#frames.set(key, pixels);
      const seen = readPage(frame, wanted[0]);
      const read = seen && [seen.title, ...seen.lines.map(line => line.text)].join('\n');
      if (seen && read !== text) throw new FalseClaim(`the pixels show ${read}: ${place()}`);
    } else if (known !== pixels)
      throw new FalseClaim(`the same texts are drawn with other pixels: ${place()}`);
  }

  /** Proves that neither an invalid press nor a wait of less than half an hour changes anything. */
  #nothing(at: number): void {
    const { image } = this.#reached[at]!;
    const machine = this.#machine;
    machine.restore(image);
    for (const button of [0, 4, -1]) machine.press(button);
    machine.app.idle(HALF_HOUR - 1);
    if (!isSame(machine.image().memory, image.memory))
      throw new FalseClaim(`an invalid press, or less than half an hour, changes memory: ${this.#path(at)}`);
  }

  /** Proves that half an hour leads to a menu, and leaves the same memory as a fresh start. */
  #idle(at: number): void {
    const { image, model } = this.#reached[at]!;
    const machine = this.#machine;
    const wanted = this.#model.idle(model);
    machine.restore(image);
    machine.app.idle(HALF_HOUR);
    const where = () => `${this.#path(at)} half an hour`;
    if (wanted === model) {
      if (!isSame(machine.image().memory, image.memory))
        throw new FalseClaim(`half an hour changes memory, but must not: ${where()}`);
      return;
    }
    this.#judge(wanted, where);
    const { memory } = machine;
    const fresh = this.#freshOf(wanted.page);
    const differs = fresh.findIndex((byte, i) => byte !== memory[i]);
    if (differs >= 0)
      throw new FalseClaim(`byte ${differs} differs from its value after a fresh start: ${where()}`);
    this.#forgettings++;
  }

  #freshMemory = new Map<string, Uint8Array>();

  /** Returns all memory after a start that leads to this page. */
  #freshOf(page: Model['page']): Uint8Array {
    const found = this.#freshMemory.get(page) ?? this.#startWith(page === 'locked');
    this.#freshMemory.set(page, found);
    return found;
  }

  #startWith(hasRecord: boolean): Uint8Array {
    const machine = new Machine(this.prepared, this.kind.noise);
    if (hasRecord) machine.vault = { ...this.#machine.vault, count: 0 };
    machine.boot(this.kind.options);
    return machine.memory.slice(0, STATIC);
  }

  #openMenu(at: number): void {
    const { image, model } = this.#reached[at]!;
    const wanted = this.#model.openMenu(model);
    this.#machine.restore(image);
    this.#machine.app.open_menu();
    if (!model.isBehind) return;
    this.#judge(wanted, () => `${this.#path(at)} Quit`);
    const after = { image: this.#machine.image(), model: wanted, before: at, event: 'Quit', next: [] };
    this.#reached[at]!.next.push(this.#add(after));
  }

  #add(reached: Reached): number {
    const key = this.#keyOf(reached);
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    this.#seen.set(key, this.#reached.length);
    this.#reached.push(reached);
    return this.#reached.length - 1;
  }

  /**
   * Returns a key that is equal for states that differ only in their data: the fields that are not data, and
   * whether the data fits a typical session.
   */
  #keyOf({ image, model: m }: Reached): string {
    const fields = image.memory.slice(this.layout.state, this.layout.seed);
    const hide = (field: Field, bytes = 4) => {
      const at = fieldAt(this.layout, field) - this.layout.state;
      fields.fill(0, at, at + bytes);
    };
    if (m.page !== 'character' || m.typed.length > 1) hide('from');
    const isEntry = m.page === 'range' || m.page === 'keep';
    if (isEntry) hide('entered');
    const isTypedOut = m.purpose === 'restore' && m.count === 12;
    if (!isTypedOut && m.typed.length > 2) hide('length');
    const { stored } = m;
    const pin = m.entering === 'Repeat PIN' ? m.firstPin : m.entering === 'PIN' ? stored?.pin : undefined;
    const isOpenPhrase = m.purpose === 'check' && m.page !== 'backup';
    const kinds = [
      m.record.length > 0 && new Set(m.record).size === 1,
      pin?.startsWith(m.pin),
      stored !== undefined && m.attempts,
      isEntry && [m.words.length > m.word, isEntered(m, m.word + 1), isEntered(m, m.count - 1)].join(),
      isOpenPhrase &&
        m.words.slice(0, m.word + (m.page === 'keep' ? 1 : 0)).every((word, i) => word === m.openWords![i]),
    ];
    return `${Buffer.from(fields).toString('latin1')}${kinds.join()}`;
  }

  #path(at: number): string {
    const events: string[] = [];
    for (let i = at; i > 0; i = this.#reached[i]!.before) events.unshift(this.#reached[i]!.event);
    return `${events.join(' ')} [${this.#reached[at]!.model.page}]`;
  }

  /** Returns the paths to states from which presses never lead to a menu. */
  #trapped(): string[] {
    const before = new Map<number, number[]>();
    for (const [at, { next }] of this.#reached.entries())
      for (const to of next) before.set(to, [...(before.get(to) ?? []), at]);
    const out = new Set<number>();
    const queue = [...this.#reached.keys()].filter(at => MENUS.includes(this.#reached[at]!.model.page));
    for (const at of queue) {
      if (out.has(at)) continue;
      out.add(at);
      queue.push(...(before.get(at) ?? []));
    }
    return [...this.#reached.keys()].filter(at => !out.has(at)).map(at => this.#path(at));
  }
}

const recordOf = (m: Model) =>
  keystore.seeds.find(({ kind, record }) => (kind === 'dice') === m.isDice && record.length === needed(m))!
    .record;

/** Explores the board with a vault first, because planted faults are found there soonest. */
await run(path => {
  const { layout } = readKeystore(path);
  const cells = new Cells('## Keystore pages');
  const explorers = [...KINDS]
    .reverse()
    .map(kind => () => new Explorer(kind, prepare(path), layout, cells).explore());
  return [...explorers, () => allMet(cells)];
});

function allMet(cells: Cells): string {
  const [unmet] = cells.unmet();
  if (unmet) throw new FalseClaim(`no press has an outcome that the specification lists: ${unmet}`);
  return 'each alternative in each cell of the specification occurred';
}
