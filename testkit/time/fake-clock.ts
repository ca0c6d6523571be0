interface Timer {
  at: number;
  run: () => void;
}

const {
  setTimeout: realSetTimeout,
  clearTimeout: realClearTimeout,
  setImmediate: realSetImmediate,
} = globalThis;

/** Replaces the timers of this process. Time passes only when `advance` is called, without waiting. */
export class FakeClock {
  now = 0;
  readonly #timers = new Set<Timer>();

  install(): void {
    Object.assign(globalThis, {
      setTimeout: (run: () => void, delayMs = 0) => this.after(delayMs, run),
      clearTimeout: (timer: Timer | undefined) => timer && this.#timers.delete(timer),
    });
  }

  uninstall(): void {
    Object.assign(globalThis, { setTimeout: realSetTimeout, clearTimeout: realClearTimeout });
  }

  after(delayMs: number, run: () => void): Timer {
    const timer = { at: this.now + delayMs, run };
    this.#timers.add(timer);
    return timer;
  }

  /** Advances the time to the next timer, and runs it. Returns false if no timer is set. */
  advance(): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.now = next.at;
    next.run();
    return true;
  }

  /** Waits until every promise that does not depend on a timer has settled. */
  settle(): Promise<void> {
    return new Promise(resolve => realSetImmediate(resolve));
  }
}
