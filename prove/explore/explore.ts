// Tries each event of the alphabet in every state that the alphabet reaches, and compares the outcome with
// the model.
import { Cells, nameOfStatus } from '../../testkit/repository/specification.js';
import { UnprovenClaim } from '../control.js';
import { openWithGlobals } from '../wasm/exports.js';
import { COMMANDS, commandNamed, FROM_ELSEWHERE, isStray, SEEDS, UPLOADS } from './alphabet.js';
import { ExploredDevice, type Outcome, type ShownScreen, type State } from './device.js';
import {
  type Event,
  type Expected,
  isAside,
  kindOfCommand,
  type Model,
  pageOf,
  START,
  stateOf,
  step,
} from './model.js';
import { ReachedStates, Screens } from './reached.js';

interface Exploration {
  states: number;
  transitions: number;
  reviews: number;
  approvals: number;
  frames: number;
  deadBytes: number;
}

const EVENTS: Event[] = [
  ...Object.keys(COMMANDS).map(name => ({ kind: 'command', name, elsewhere: false }) as const),
  ...FROM_ELSEWHERE.map(name => ({ kind: 'command', name, elsewhere: true }) as const),
  ...[0, 1, 2, 3, 4].map(button => ({ kind: 'button', button }) as const),
  { kind: 'cancel' },
  { kind: 'resume' },
  { kind: 'restart', torn: false },
  { kind: 'restart', torn: true },
  ...(['A', 'B', 'none'] as const).map(seed => ({ kind: 'seed', seed }) as const),
];

/**
 * One in so many transitions is repeated on the other kind of garbage. The number is odd, so that each kind
 * is sometimes the first.
 */
const TWICE = 5;

interface Reached {
  state: State;
  model: Model;
  before: number;
  event: string;
}

const RIGHT: Event = { kind: 'button', button: 2 };
const LEFT: Event = { kind: 'button', button: 1 };
const BOTH: Event = { kind: 'button', button: 3 };
/** Presses that turn details on from the first page of the menu, and return to it. */
const SHOW_DETAILS = [RIGHT, BOTH, RIGHT, BOTH, RIGHT, RIGHT, BOTH];

class Explorer {
  readonly #device: ExploredDevice;
  readonly #isWhole: boolean;
  readonly #reached = new ReachedStates<Reached>();
  readonly #screens = new Screens();
  readonly #cells = new Cells('## States');
  /** Index of the state after the last event. */
  #latest = 0;
  readonly #tally = { transitions: 0, reviews: 0, approvals: 0 };

  constructor(device: ExploredDevice, isWhole: boolean) {
    this.#device = device;
    this.#isWhole = isWhole;
    this.#add({ state: device.state(), model: START, before: -1, event: '' }, RIGHT);
  }

  /** Throws an UnprovenClaim at the first violation, with the events that lead to it. */
  explore(most: number): Exploration {
    this.#signAll();
    let deadBytes = 0;
    for (let i = 0; i < this.#reached.all.length && i < most; i++) {
      for (const next of EVENTS) {
        this.#tryEvent(i, next);
        if (i < 200 || i % 64 === 0) deadBytes = this.#device.learnDead();
      }
    }
    const [unmet] = most === Number.POSITIVE_INFINITY ? this.#cells.unmet() : [];
    if (unmet) throw new UnprovenClaim(`no event has an outcome that the specification lists: ${unmet}`);
    if (this.#device.wroteBeyond()) throw new UnprovenClaim('the module writes beyond its static memory');
    return {
      states: this.#reached.all.length,
      ...this.#tally,
      frames: this.#screens.count,
      deadBytes,
    };
  }

  /**
   * Sends each transaction, reads its review to the end and signs it, with details hidden and shown. This
   * covers paths that the alphabet reaches late or never.
   */
  #signAll(): void {
    for (const [parts, setting] of UPLOADS.flatMap(each => [
      [each, []] as const,
      [each, SHOW_DETAILS] as const,
    ])) {
      let at = 0;
      const go = (event: Event): void => {
        this.#tryEvent(at, event);
        at = this.#latest;
      };
      for (const event of setting) go(event);
      for (const name of parts) go({ kind: 'command', name, elsewhere: false });
      for (let last = -1; last !== at; ) {
        last = at;
        go(RIGHT);
      }
      go(LEFT);
      go(BOTH);
    }
  }

  #tryEvent(from: number, event: Event): void {
    const { state, model } = this.#reached.all[from]!;
    const expected = step(model, event);
    const fail = (fault: string): never => {
      throw new UnprovenClaim(`${fault}: ${this.#reached.path(from, nameOf(event))}`);
    };
    this.#tally.transitions++;
    if (!this.#cells.meet(rowOf(event, model), stateOf(model), outcomeOf(event, expected)))
      fail(`the specification does not allow the outcome "${outcomeOf(event, expected)}"`);
    const reached = { model: expected.model, before: from, event: nameOf(event) };
    if (event.kind === 'seed') {
      this.#add({ state, ...reached }, event);
      return;
    }
    const poison = this.#tally.transitions % 2 === 0 ? 0 : 1;
    const [first, after] = this.#run(state, model, event, poison);
    const fault = this.#judge(first, expected);
    if (fault) fail(fault);
    if (this.#tally.transitions % TWICE === 0) {
      const [second, again] = this.#run(state, model, event, poison === 0 ? 1 : 0);
      const isSame = first.reply === second.reply && keyOf(after) === keyOf(again);
      if (!isSame || !sameFrame(first.shown, second.shown))
        fail('the outcome depends on memory outside the state');
    }
    if (expected.model.review && !model.review) this.#tally.reviews++;
    if (event.kind === 'button' && expected.reply.length > 8) this.#tally.approvals++;
    this.#add({ state: after, ...reached }, event);
  }

  #run(state: State, model: Model, event: Event, poison: 0 | 1): [Outcome, State] {
    const device = this.#device;
    device.restore(state, poison);
    device.seed = model.seed === 'none' ? undefined : SEEDS[model.seed];
    const outcome = device.run(() => {
      if (event.kind === 'command') {
        const bytes = commandNamed(event.name);
        return event.elsewhere ? device.exchangeReports(bytes) : device.command(bytes);
      }
      if (event.kind === 'restart') return device.restart(event.torn);
      if (event.kind === 'button') return device.press(event.button);
      return event.kind === 'cancel' ? device.cancel() : device.resume();
    });
    return [outcome, device.state()];
  }

  #judge({ reply, shown, trap }: Outcome, expected: Expected): string | undefined {
    if (trap) return `the module traps (${trap})`;
    if (!isReply(reply, expected.reply)) return `the reply is "${reply}", not "${expected.reply}"`;
    if (!shown !== !expected.isShown) return shown ? 'an unexpected page is drawn' : 'no page is drawn';
    if (!shown) return undefined;
    const page = pageOf(expected.model);
    if (!('title' in page)) return this.#screens.judge({ ...shown, hasTitle: false }, page);
    const { title, lines, large } = page;
    return this.#screens.judge({ ...shown, hasTitle: true }, [
      title,
      ...(large === undefined ? lines : [large]),
    ]);
  }

  #add(reached: Reached, event: Event): void {
    const { model } = reached;
    if (model.upload && isStray(model.upload)) return;
    if (!this.#isWhole && isForRelease(event, model)) return;
    // Of the states after a command from elsewhere, only its upload of a message is explored further. The others
    // differ from known states only in the channel that gets the reply, and in the key that was asked for last.
    if (event.kind === 'command' && event.elsewhere && !(model.upload?.elsewhere && model.upload.ins === 7))
      return;
    this.#latest = this.#reached.add(keyOf(reached.state) + JSON.stringify(model), reached);
  }
}

/**
 * Returns whether only the whole exploration continues from a state: one with two changed settings; one with an
 * upload, a review or an approval on settings that were partly written; or one that differs from known states only in the
 * last press of a review, which was neither left nor right nor both.
 */
function isForRelease(event: Event, model: Model): boolean {
  const { refuses, details, contactsOnly, reset, upload, review, approved } = model;
  if ([refuses, details, contactsOnly].filter(Boolean).length > 1) return true;
  if (reset && (upload || review || approved)) return true;
  return event.kind === 'button' && BUTTONS[event.button] === 'another press' && review !== undefined;
}

const BUTTONS = ['another press', 'left', 'right', 'both', 'another press'];

/** Returns the row of an event in docs/SPECIFICATION.md#states. */
function rowOf(event: Event, before: Model): string {
  if (event.kind === 'command') {
    const bytes = commandNamed(event.name);
    const kind = kindOfCommand(bytes);
    if (!isAside(before, bytes, event.elsewhere)) return kind;
    return kind === 'other command' ? 'other command from elsewhere' : 'chunk or REVEAL from elsewhere';
  }
  if (event.kind === 'button') return BUTTONS[event.button]!;
  return event.kind === 'seed' ? 'another seed, or none' : event.kind;
}

/** Returns an outcome in the words of the table's cells. */
function outcomeOf(event: Event, { model, reply, isShown }: Expected): string {
  // A check of a contact succeeds without data.
  const isUpload = event.kind === 'command' && kindOfCommand(commandNamed(event.name)) !== 'other command';
  const isNamed = event.kind === 'button' || reply === '6901' || (isUpload && reply === '9000');
  const name = isNamed ? nameOfStatus(reply) : undefined;
  const said = name ?? (reply.endsWith('9000') ? 'data' : 'refusal');
  return [stateOf(model), ...(reply === '' ? [] : [said]), ...(isShown ? ['shown'] : [])].join(', ');
}

const keyOf = ({ bytes, globals, stored }: State) =>
  `${Buffer.from(bytes).toString('latin1')}${globals.join()}${stored?.join() ?? ''}`;

const sameFrame = (a: ShownScreen | undefined, b: ShownScreen | undefined) =>
  a === b || (a !== undefined && b !== undefined && Buffer.from(a.frame).equals(b.frame));

const nameOf = (event: Event) =>
  event.kind === 'command'
    ? `${event.name}${event.elsewhere ? ' from elsewhere' : ''}`
    : event.kind === 'button'
      ? `button ${event.button}`
      : event.kind === 'seed'
        ? `seed ${event.seed}`
        : event.kind === 'restart' && event.torn
          ? 'restart with partly written settings'
          : event.kind;

/**
 * Returns whether a reply is the expected one. A refused transaction is answered with four bytes and a status
 * word.
 */
function isReply(reply: string, expected: string): boolean {
  if (expected !== 'refused') return reply === expected;
  return reply.length === 12 && !reply.endsWith('9000');
}

/**
 * Explores a module until no state is new, or until `most` states are explored: with settings in all
 * combinations if `isWhole`, otherwise with one changed setting at a time.
 */
export function explore(path: string, isWhole: boolean, most = Number.POSITIVE_INFINITY): Exploration {
  const { compiled, module } = openWithGlobals(path);
  return new Explorer(new ExploredDevice(compiled, module), isWhole).explore(most);
}
