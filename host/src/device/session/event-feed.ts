import { callListener } from '@zbc-signer/protocol/callbacks';

/** Hands every value to listeners and to async iterators. */
export class EventFeed<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /**
   * Calls `onHeard` with true when the first listener subscribes, and with false when the last one
   * unsubscribes.
   */
  constructor(private readonly onHeard: (isHeard: boolean) => void) {}

  /** Adds a listener until the returned function is called. */
  subscribe(listener: (value: Value) => void): () => void {
    const own = (value: Value) => listener(value);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.onHeard(true);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.onHeard(false);
    };
  }

  /** Calls every listener. */
  emit(value: Value): void {
    for (const listener of [...this.#listeners]) void callListener(listener, value);
  }

  /**
   * Yields the result of `first`, then every value that is emitted after the first call of `next`. Ends after
   * a value for which `isLast` returns true, or when the signal fires.
   */
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
