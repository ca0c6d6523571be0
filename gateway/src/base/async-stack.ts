/** Closes its parts in the reverse order of their addition, once. */
export class AsyncStack {
  readonly #parts: (() => Promise<void>)[] = [];

  readonly close = once(async () => {
    for (const close of this.#parts.reverse()) await close();
  });

  add(close: () => Promise<void>): void {
    this.#parts.push(close);
  }
}

/** Returns the same promise to every caller, so that `action` runs once. */
export function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= action());
}
