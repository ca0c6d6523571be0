/** Those who hear of a change. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  readonly notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
