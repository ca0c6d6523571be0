type Listener = ((...values: unknown[]) => void) & { listener?: Listener };

/** The part of node:events that a signer in a page uses; tools/build/build-page-signer.ts puts it in its place. */
export class EventEmitter {
  readonly #listeners = new Map<string, Listener[]>();

  rawListeners(name: string): Listener[] {
    return [...(this.#listeners.get(name) ?? [])];
  }

  on(name: string, listener: Listener): this {
    this.#listeners.set(name, [...this.rawListeners(name), listener]);
    return this;
  }

  once(name: string, listener: Listener): this {
    const once: Listener = (...values) => {
      this.off(name, once);
      Reflect.apply(listener, this, values);
    };
    return this.on(name, Object.assign(once, { listener }));
  }

  off(name: string, listener: Listener): this {
    const listeners = this.rawListeners(name);
    const at = listeners.findLastIndex(each => each === listener || each.listener === listener);
    this.#listeners.set(name, listeners.toSpliced(at, at < 0 ? 0 : 1));
    return this;
  }

  setMaxListeners(): this {
    return this;
  }
}
