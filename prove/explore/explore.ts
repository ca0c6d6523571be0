// Tries each event of the alphabet in every state that the alphabet reaches, and compares the outcome with
// the model.
import { Cells, nameOfStatus } from '../../testkit/repository/specification.js';
import { readPage } from '../read-back/page.js';
import { openWithGlobals } from '../wasm/exports.js';
import { COMMANDS, commandNamed, FROM_ELSEWHERE, isStray, UPLOADS } from './alphabet.js';
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
import type { ExpectedPage } from './pages.js';

interface Exploration {
  states: number;
  transitions: number;
  reviews: number;
  approvals: number;
  frames: number;
  deadBytes: number;
  /** The first violation, with the events that lead to it. */
  violation?: string;
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
  /** Index of the previous state, and the event. */
  before: number;
  event: Event;
}

const RIGHT: Event = { kind: 'button', button: 2 };
const LEFT: Event = { kind: 'button', button: 1 };
const BOTH: Event = { kind: 'button', button: 3 };
/** Presses that turn details on from the first page of the menu, and return to it. */
const SHOW_DETAILS = [RIGHT, BOTH, RIGHT, BOTH, RIGHT, RIGHT, BOTH];

class Explorer {
  readonly #device: ExploredDevice;
  readonly #isWhole: boolean;
  readonly #reached: Reached[] = [];
  readonly #seen = new Map<string, number>();
  readonly #frames = new Map<string, string>();
  readonly #cells = new Cells('## States');
  /** Index of the state after the last event. */
  #latest = 0;
  readonly #tally = { transitions: 0, reviews: 0, approvals: 0 };

  constructor(device: ExploredDevice, isWhole: boolean) {
    this.#device = device;
    this.#isWhole = isWhole;
    this.#add({ state: device.state(), model: START, before: -1, event: RIGHT });
  }

  explore(most: number): Exploration {
    let violation = this.#signAll();
    let dead = 0;
    for (let i = 0; i < this.#reached.length && !violation && i < most; i++) {
      for (const next of EVENTS) {
        violation ??= this.#tryEvent(i, next);
        if (i < 200 || i % 64 === 0) dead = this.#device.learnDead();
      }
    }
    const [unmet] = most === Number.POSITIVE_INFINITY ? this.#cells.unmet() : [];
    if (unmet) violation ??= `no event has an outcome that the specification lists: ${unmet}`;
    if (this.#device.wroteBeyond()) violation = 'the module writes beyond its static memory';
    const { transitions, reviews, approvals } = this.#tally;
    const counts = {
      states: this.#reached.length,
      transitions,
      reviews,
      approvals,
      frames: this.#frames.size,
    };
    return { ...counts, deadBytes: dead, ...(violation && { violation }) };
  }

  /**
   * Sends each transaction, reads its review to the end and signs it, with details hidden and shown. This
   * covers paths that the alphabet reaches late or never.
   */
  #signAll(): string | undefined {
    for (const [parts, setting] of UPLOADS.flatMap(each => [
      [each, []] as const,
      [each, SHOW_DETAILS] as const,
    ])) {
      let at = 0;
      const go = (event: Event): string | undefined => {
        const violation = this.#tryEvent(at, event);
        at = this.#latest;
        return violation;
      };
      for (const event of [
        ...setting,
        ...parts.map(name => ({ kind: 'command', name, elsewhere: false }) as const),
      ]) {
        const violation = go(event);
        if (violation) return violation;
      }
      for (let last = -1; last !== at; ) {
        last = at;
        const violation = go(RIGHT);
        if (violation) return violation;
      }
      const violation = go(LEFT) ?? go(BOTH);
      if (violation) return violation;
    }
    return undefined;
  }

  #tryEvent(from: number, event: Event): string | undefined {
    const { state, model } = this.#reached[from]!;
    const expected = step(model, event);
    this.#tally.transitions++;
    if (!this.#cells.meet(rowOf(event, model), stateOf(model), outcomeOf(event, expected)))
      return `the specification does not allow the outcome "${outcomeOf(event, expected)}": ${this.#path(from)} ${nameOf(event)}`;
    if (event.kind === 'seed') {
      this.#add({ state, model: expected.model, before: from, event });
      return undefined;
    }
    const poison = this.#tally.transitions % 2 === 0 ? 0 : 1;
    const [first, after] = this.#run(state, model, event, poison);
    const fault = this.#judge(first, expected);
    if (fault) return `${fault}: ${this.#path(from)} ${nameOf(event)}`;
    if (this.#tally.transitions % TWICE === 0) {
      const [second, again] = this.#run(state, model, event, poison === 0 ? 1 : 0);
      const isSame = first.reply === second.reply && keyOf(after) === keyOf(again);
      if (!isSame || !sameFrame(first.shown, second.shown)) {
        return `the outcome depends on memory outside the state: ${this.#path(from)} ${nameOf(event)}`;
      }
    }
    if (expected.model.review && !model.review) this.#tally.reviews++;
    if (event.kind === 'button' && expected.reply.length > 8) this.#tally.approvals++;
    this.#add({ state: after, model: expected.model, before: from, event });
    return undefined;
  }

  #run(state: State, model: Model, event: Event, poison: 0 | 1): [Outcome, State] {
    const device = this.#device;
    device.restore(state, poison);
    device.seed = model.seed;
    const outcome = device.run(() => {
      if (event.kind === 'command') return device.command(commandNamed(event.name), event.elsewhere);
      if (event.kind === 'restart') return device.restart(event.torn);
      if (event.kind === 'button') return device.button(event.button);
      return event.kind === 'cancel' ? device.cancel() : device.resume();
    });
    return [outcome, device.state()];
  }

  #judge({ reply, shown, trap }: Outcome, expected: Expected): string | undefined {
    if (trap) return `the module traps (${trap})`;
    if (!isReply(reply, expected.reply)) return `the reply is "${reply}", not "${expected.reply}"`;
    if (!shown !== !expected.isShown) return shown ? 'an unexpected page is drawn' : 'no page is drawn';
    return shown && this.#judgeFrame(shown, pageOf(expected.model));
  }

  /** Decodes each different frame once. The same texts must always draw the same frame. */
  #judgeFrame({ texts, frame }: ShownScreen, expected: readonly string[] | ExpectedPage): string | undefined {
    const right = isTexts(expected)
      ? expected
      : [expected.title, ...(expected.large === undefined ? expected.lines : [expected.large])];
    if (texts.join('\n') !== right.join('\n'))
      return `the screen shows ${texts.join(' | ')}, not ${right.join(' | ')}`;
    const pixels = Buffer.from(frame).toString('latin1');
    // Arrows depend on the position in a review, so the same page can have other arrows. They are not
    // compared.
    const key = texts.join('\n');
    const body = pixels.slice(0, 59 * 16);
    const known = this.#frames.get(key);
    if (known !== undefined) return known === body ? undefined : 'the same texts are drawn with other pixels';
    this.#frames.set(key, body);
    const page = readPage(frame);
    if (isTexts(expected)) return page ? 'a page of the menu has a title bar' : undefined;
    const read = page && [
      page.title,
      ...(page.large === undefined ? page.lines.map(line => line.text) : [page.large]),
    ];
    return read?.join('\n') === key ? undefined : 'the pixels show other texts';
  }

  #add(reached: Reached): void {
    const { event, model } = reached;
    if (model.upload && isStray(model.upload)) return;
    if (!this.#isWhole && isForRelease(event, model)) return;
    // Of the states after a command from elsewhere, only its upload of a message is explored further. The others
    // differ from known states only in the channel that gets the reply, and in the key that was asked for last.
    if (event.kind === 'command' && event.elsewhere && !(model.upload?.elsewhere && model.upload.ins === 7))
      return;
    const key = keyOf(reached.state) + JSON.stringify(reached.model);
    this.#latest = this.#seen.get(key) ?? this.#reached.length;
    if (this.#latest < this.#reached.length) return;
    this.#seen.set(key, this.#latest);
    this.#reached.push(reached);
  }

  #path(index: number): string {
    const names: string[] = [];
    for (let i = index; i > 0; i = this.#reached[i]!.before) names.unshift(nameOf(this.#reached[i]!.event));
    return names.join(', ');
  }
}

/**
 * Returns whether only the whole exploration continues from a state: one with two changed settings; one with an
 * upload or a review on settings that were partly written; or one that differs from known states only in the
 * last press of a review, which was neither left nor right nor both.
 */
function isForRelease(event: Event, model: Model): boolean {
  const { refuses, details, contactsOnly, reset, upload, review } = model;
  if ([refuses, details, contactsOnly].filter(Boolean).length > 1) return true;
  if (reset && (upload || review)) return true;
  return event.kind === 'button' && BUTTONS[event.button] === 'another press' && review !== undefined;
}

const isTexts = (page: readonly string[] | ExpectedPage): page is readonly string[] => Array.isArray(page);

const BUTTONS = ['another press', 'left', 'right', 'both', 'another press'];

/** Returns the row of an event in docs/SPECIFICATION.md#states. */
function rowOf(event: Event, before: Model): string {
  if (event.kind === 'command') {
    const bytes = commandNamed(event.name);
    return `${kindOfCommand(bytes)}${isAside(before, bytes, event.elsewhere) ? ' from elsewhere' : ''}`;
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
