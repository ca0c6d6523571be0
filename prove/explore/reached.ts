// What the explorations of both modules remember: the states that they reached, and the screens that they saw.
import { readPage } from '../read-back/page.js';

/** The reached states, in order; of the states with the same key, only the first is kept. */
export class ReachedStates<State extends { before: number; event: string }> {
  readonly all: State[] = [];
  readonly #indices = new Map<string, number>();

  /**
   * Adds a state, unless one with its key is known: `event` led to it from the state with index `before`. Returns
   * the index of the known or added state.
   */
  add(key: string, state: State): number {
    const index = this.#indices.get(key) ?? this.all.length;
    if (index < this.all.length) return index;
    this.#indices.set(key, index);
    this.all.push(state);
    return index;
  }

  /** The events that lead to a state, and `next`. */
  path(index: number, ...next: string[]): string {
    const events = next;
    for (let at = index; at > 0; at = this.all[at]!.before) events.unshift(this.all[at]!.event);
    return events.join(', ');
  }
}

const ROW_BYTES = 16;
/** Arrows, which depend on the position in a review, are below. */
const ROWS = 59;

interface Drawn {
  texts: readonly string[];
  frame: Uint8Array;
  /** Screens of another kind may draw the same texts in another way. */
  kind?: string;
  /** The title that the pixels should show, if the page is one of the keystore's. */
  title?: string | undefined;
  /** Whether the page must have a title bar, or none; otherwise it may. */
  hasTitle?: boolean;
}

/** The different screens. The same texts must always draw the same pixels, and the pixels must show the texts. */
export class Screens {
  readonly #pixels = new Map<string, string>();

  get count(): number {
    return this.#pixels.size;
  }

  /** Returns what is wrong with a screen; undefined if nothing is. */
  judge({ texts, frame, kind = '', title, hasTitle }: Drawn, wanted: readonly string[]): string | undefined {
    const text = texts.join('\n');
    if (text !== wanted.join('\n')) return `the screen shows ${texts.join(' / ')}, not ${wanted.join(' / ')}`;
    const pixels = Buffer.from(frame).toString('latin1', 0, ROWS * ROW_BYTES);
    const known = this.#pixels.get(text + kind);
    if (known !== undefined)
      return known === pixels ? undefined : 'the same texts are drawn with other pixels';
    this.#pixels.set(text + kind, pixels);
    const page = readPage(frame, title);
    if (hasTitle !== undefined && hasTitle !== (page !== undefined))
      return hasTitle ? 'a page of a review has no title bar' : 'a page of the menu has a title bar';
    const read = page && [
      page.title,
      ...(page.large === undefined ? page.lines.map(line => line.text) : [page.large]),
    ];
    return !read || read.join('\n') === text ? undefined : `the pixels show ${read.join(' / ')}`;
  }
}
