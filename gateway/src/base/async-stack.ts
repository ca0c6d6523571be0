import { once } from './once.js';

/** Closes its parts in reverse order, once. */
export class AsyncStack {
  readonly #parts: (() => Promise<void>)[] = [];

  readonly close = once(async () => {
    for (const close of this.#parts.reverse()) await close();
  });

  add(close: () => Promise<void>): void {
    this.#parts.push(close);
  }
}
