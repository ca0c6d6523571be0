/** Hands every value to listeners and to async iterators. */
export class EventFeed<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** `onHeard` is called with true when the first listener comes, with false when the last one leaves. */
  constructor(private readonly onHeard: (isHeard: boolean) => void) {}

  /** Ends with the function that it returns. */
  subscribe(listener: (value: Value) => void): () => void {
    const own = (value: Value) => listener(value);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.onHeard(true);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.onHeard(false);
    };
  }

  /** What a listener throws is its own affair. */
  emit(value: Value): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch {}
    }
  }

  /** `first` and every value from the first `next` on, until `isLast` or the signal; none is left out. */
  async *iterate(
    first: () => Value,
    isLast: (value: Value) => boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Value, void> {
    const values = [first()];
    let wake = () => {};
    const unsubscribe = this.subscribe(value => {
      values.push(value);
      wake();
    });
    const onAbort = () => wake();
    signal?.addEventListener('abort', onAbort);
    try {
      while (!signal?.aborted) {
        const value = values.shift();
        if (value !== undefined) {
          yield value;
          if (isLast(value)) return;
        } else {
          await new Promise<void>(resolve => (wake = resolve));
        }
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      unsubscribe();
    }
  }
}
