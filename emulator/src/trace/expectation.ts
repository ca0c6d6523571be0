import { parseTitle } from '../harness/review-pages.js';

/** What must hold at every step: what was recorded, or that each screen of an item shows its value. */
export type TraceExpectation = 'recorded' | { title: string; value: string };

/** Compares an item on the screens of a session, one after the other. */
export class ExpectedItem {
  readonly #title: string;
  readonly #value: string;
  /** Where the part on each page of the value ends, by the page's number. */
  readonly #ends = new Map<number, number>();

  constructor({ title, value }: { title: string; value: string }) {
    this.#title = title;
    // The screen breaks a line there.
    this.#value = value.replaceAll('\n', '');
  }

  /** Whether a screen is a page of the item. */
  isOn([pageTitle = '']: readonly string[]): boolean {
    return parseTitle(pageTitle).title === this.#title;
  }

  /** Whether a page of the item shows its part of the value: what follows the page before, up to the end. */
  isShownOn([pageTitle = '', ...lines]: readonly string[]): boolean {
    const { page, count } = parseTitle(pageTitle);
    const part = lines.join('');
    const from = page === 1 ? 0 : this.#ends.get(page - 1);
    if (from === undefined) return false;
    const end = from + part.length;
    this.#ends.set(page, end);
    return this.#value.startsWith(part, from) && (page !== count || end === this.#value.length);
  }
}
