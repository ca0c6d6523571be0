// explore MODULE: tries every press in every state of the keystore, until no state is new, and compares each
// outcome with a model, on boards without a noise source, with a noise source, and with a vault. Of the
// states that differ only in their data, only the first is explored. --control MODULE…: explores modules with
// a planted fault, each of which must be found.
import { EMPTY_VAULT } from '../../testkit/device/fake-vault.js';
import { Cells } from '../../testkit/repository/specification.js';
import { keystore } from '../../testkit/repository/vectors.js';
import { runProofs, UnprovenClaim } from '../control.js';
import { ReachedStates, Screens } from '../explore/reached.js';
import { openWithGlobals } from '../wasm/exports.js';
import { type Field, fieldAt, type Layout, readKeystore, STATIC } from './layout.js';
import { BOTH, HAS_NOISE, HAS_VAULT, type Image, LEFT, Machine, RIGHT, stream } from './machine.js';
import { isEntered, Keystore, type Model, needed, start, thirds } from './model.js';

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
  readonly #reached = new ReachedStates<Reached>();
  readonly #screens = new Screens();
  #transitions = 0;
  #forgettings = 0;
  #opened = 0;
  #interruptions = 0;
  #failures = 0;
  /** Number of calls of the vault in the last event, and the index of the call that fails. */
  #asked = 0;
  #failing: number | undefined;
  #failedMemory: Uint8Array | undefined;
  /** Index of the state in which the current event happens, and the event. */
  #place: [at: number, event: string] = [0, ''];
  readonly #machine: Machine;
  readonly #model: Keystore;
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
    this.#add({ image: this.#fresh, model: start(), before: -1, event: '', next: [] });
    this.#begin(0, 'the start');
    this.#judge(start());
    for (let at = 0; at < this.#reached.all.length; at++) {
      this.#tryAll(at);
      if (this.kind.hasVault && at + 1 === this.#reached.all.length) this.#failStarts();
    }
    const [trapped] = this.#trapped();
    if (trapped) throw new UnprovenClaim(`no presses lead to a menu from ${trapped}`);
    return (
      `a board ${this.kind.name}: ${this.#reached.all.length} states and ${this.#transitions} presses until no state was new, each also with ` +
      `garbage in the work space: ${this.#screens.count} different screens, a seed is open ${this.#opened} times, ` +
      `${this.#forgettings} states from which everything is forgotten, ${this.#interruptions} interrupted computations, ${this.#failures} failing calls of a vault; each state leads to a menu`
    );
  }

  #tryAll(at: number): void {
    const { model } = this.#reached.all[at]!;
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

  /** Begins an event in a state, on the machine in this state. */
  #begin(at: number, event: string, { image }: { image: Image } = this.#reached.all[at]!): Machine {
    this.#place = [at, event];
    this.#asked = 0;
    this.#machine.restore(image);
    return this.#machine;
  }

  /** Requires a claim about the current event. */
  #require(holds: boolean, fault: string): void {
    if (!holds) throw new UnprovenClaim(`${fault}: ${this.#path(...this.#place)}`);
  }

  #press(at: number, button: number): void {
    const { model, next } = this.#reached.all[at]!;
    const event = NAMES[button]!;
    const wanted = this.#model.press(model, button);
    const machine = this.#begin(at, event);
    const allows = (outcome: string) => this.cells.meet(this.#model.nameOf(model), COLUMNS[button]!, outcome);
    const outcome = this.#model.nameOf(wanted);
    this.#require(allows(outcome), `the specification does not allow the outcome "${outcome}"`);
    this.#require(machine.press(button), 'the module traps');
    const asked = this.#asked;
    this.#transitions++;
    this.#judge(wanted);
    const after = machine.image();
    this.#pressOnRubbish(at, button, after);
    this.#interrupt(at, button);
    for (let call = 0; call < asked; call++) {
      this.#require(allows('vault failed'), 'the specification does not allow a failing vault');
      next.push(this.#fail(at, event, call, () => machine.press(button)));
    }
    next.push(this.#add({ image: after, model: wanted, before: at, event, next: [] }));
  }

  /** Proves that the outcome of a press does not depend on the content of the work space. */
  #pressOnRubbish(at: number, button: number, after: Image): void {
    const machine = this.#begin(at, NAMES[button]!);
    for (const [from, bytes] of this.#rubbish) machine.memory.set(bytes, from);
    this.#require(machine.press(button), 'the module traps with garbage in the work space');
    const again = machine.image();
    const { state, stateSize } = this.layout;
    const stateOf = ({ memory }: Image) => memory.subarray(state, state + stateSize);
    const isEqual =
      isSame(stateOf(after), stateOf(again)) && after.texts.join('\n') === again.texts.join('\n');
    this.#require(isEqual, 'the outcome depends on the work space');
  }

  /**
   * Proves that, during a computation, presses have no effect, and half an hour forgets everything, as on
   * each page.
   */
  #interrupt(at: number, button: number): void {
    const { model } = this.#reached.all[at]!;
    const machine = this.#begin(at, NAMES[button]!);
    machine.app.button(button);
    if (machine.app.work() === 0) return;
    this.#interruptions++;
    const begun = machine.image().memory;
    for (const pressed of [LEFT, RIGHT, BOTH]) machine.app.button(pressed);
    this.#require(isSame(machine.image().memory, begun), 'a press has an effect during the computation');
    if (model.open && model.neverLocks) return;
    machine.app.idle(HALF_HOUR);
    machine.work();
    const fresh = this.#freshOf(machine.vault.record ? 'locked' : 'empty');
    this.#require(
      machine.texts[0] === 'ZBC Signer' && isSame(machine.image().memory, fresh),
      'half an hour leaves data in memory during the computation',
    );
  }

  /** Lets each call of the vault fail at a start, without a record, with a record, and after ten attempts. */
  #failStarts(): void {
    const stored = this.#reached.all.find(({ image }) => image.vault.record)!.image.vault;
    for (const vault of [EMPTY_VAULT, stored, { ...stored, count: 10 }])
      for (let call = 0; call === 0 || call < this.#asked; call++)
        this.#fail(0, 'start', call, () => this.#machine.boot(this.kind.options), {
          image: { ...this.#blank, vault },
        });
  }

  /**
   * Lets a call of the vault fail. All data must be forgotten, and the resulting page is explored like any
   * other. Returns the index of the state.
   */
  #fail(
    before: number,
    event: string,
    call: number,
    act: () => void,
    from: { image: Image } = this.#reached.all[before]!,
  ): number {
    const machine = this.#begin(before, `${event}, where call ${call} of the vault fails`, from);
    this.#failing = call;
    act();
    this.#failing = undefined;
    this.#failures++;
    const failed = this.#model.failed(this.#reached.all[before]!.model);
    this.#judge(failed);
    const after = machine.image();
    const left = after.memory.slice();
    left[fieldAt(this.layout, 'hasRecord')] = 0;
    this.#failedMemory ??= left;
    this.#require(isSame(left, this.#failedMemory), 'data is left in memory');
    return this.#add({ image: after, model: failed, before, event: `${event} (failing)`, next: [] });
  }

  /** Checks texts, pixels, and the signer's seed. */
  #judge(wanted: Model): void {
    const machine = this.#machine;
    if (!wanted.isBehind) {
      const texts = this.#model.texts(wanted);
      const isListed = this.cells.meet(
        this.#model.nameOf(wanted),
        'Screen',
        texts.map(line => `${line}\n`).join(''),
      );
      this.#require(isListed, `the specification does not have ${texts.join(' / ')}`);
      // A fingerprint is shown on a page of its own and in the menu, with different pixels.
      const kind = wanted.page === 'fingerprint' ? 'page' : '';
      const { texts: shown, frame } = machine;
      const fault = this.#screens.judge({ texts: shown, frame, kind, title: texts[0] }, texts);
      this.#require(fault === undefined, fault!);
    }
    const seed = machine.seed;
    const given = wanted.isBehind ? wanted.open : undefined;
    this.#require(seed?.hex === given, `the signer gets the seed ${seed?.hex}, not ${given}`);
    this.#require(!seed?.isInFront, 'the keystore is in front, but the signer gets a seed');
    this.#require(machine.app.locked() === (given ? 0 : 1), 'locked() returns a wrong value');
    if (given) this.#opened++;
  }

  /** Proves that neither an invalid press nor a wait of less than half an hour changes anything. */
  #nothing(at: number): void {
    const machine = this.#begin(at, 'an invalid press, and less than half an hour');
    for (const button of [0, 4, -1]) machine.press(button);
    machine.app.idle(HALF_HOUR - 1);
    this.#require(isSame(machine.image().memory, this.#reached.all[at]!.image.memory), 'memory changes');
  }

  /** Proves that half an hour leads to a menu, and leaves the same memory as a fresh start. */
  #idle(at: number): void {
    const { image, model } = this.#reached.all[at]!;
    const machine = this.#begin(at, 'half an hour');
    const wanted = this.#model.idle(model);
    machine.app.idle(HALF_HOUR);
    if (wanted === model) {
      this.#require(isSame(machine.image().memory, image.memory), 'memory changes, but must not');
      return;
    }
    this.#judge(wanted);
    const { memory } = machine;
    const differs = this.#freshOf(wanted.page).findIndex((byte, i) => byte !== memory[i]);
    this.#require(differs < 0, `byte ${differs} differs from its value after a fresh start`);
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
    const { model, next } = this.#reached.all[at]!;
    const machine = this.#begin(at, 'Quit');
    machine.app.open_menu();
    if (!model.isBehind) return;
    const wanted = this.#model.openMenu(model);
    this.#judge(wanted);
    next.push(this.#add({ image: machine.image(), model: wanted, before: at, event: 'Quit', next: [] }));
  }

  #add(reached: Reached): number {
    return this.#reached.add(this.#keyOf(reached), reached);
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

  #path(at: number, ...next: string[]): string {
    return `${this.#reached.path(at, ...next)} [${this.#reached.all[at]!.model.page}]`;
  }

  /** Returns the paths to states from which presses never lead to a menu. */
  #trapped(): string[] {
    const before = new Map<number, number[]>();
    for (const [at, { next }] of this.#reached.all.entries())
      for (const to of next) before.set(to, [...(before.get(to) ?? []), at]);
    const out = new Set<number>();
    const queue = [...this.#reached.all.keys()].filter(at =>
      MENUS.includes(this.#reached.all[at]!.model.page),
    );
    for (const at of queue) {
      if (out.has(at)) continue;
      out.add(at);
      queue.push(...(before.get(at) ?? []));
    }
    return [...this.#reached.all.keys()].filter(at => !out.has(at)).map(at => this.#path(at));
  }
}

const recordOf = (m: Model) =>
  keystore.seeds.find(({ kind, record }) => (kind === 'dice') === m.isDice && record.length === needed(m))!
    .record;

/** Explores the board with a vault first, because planted faults are found there soonest. */
await runProofs(path => {
  const { layout } = readKeystore(path);
  const cells = new Cells('## Keystore pages');
  const explorers = [...KINDS]
    .reverse()
    .map(kind => () => new Explorer(kind, openWithGlobals(path).compiled, layout, cells).explore());
  return [...explorers, () => allMet(cells)];
});

function allMet(cells: Cells): string {
  const [unmet] = cells.unmet();
  if (unmet) throw new UnprovenClaim(`no press has an outcome that the specification lists: ${unmet}`);
  return 'each alternative in each cell of the specification occurred';
}
