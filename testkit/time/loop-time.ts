const STEP_MS = 10;
/** The most by which the time advances in a step, even if the process was delayed for longer. */
const MAX_STEP_MS = 2 * STEP_MS;
/** Timers with a shorter delay use the time of the system. */
const MIN_DELAY_MS = 5 * STEP_MS;

const system = {
  now: performance.now.bind(performance),
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
};

/** A timer with the interface of Node's timers. It never keeps the process alive. */
class LoopTimer {
  #dueMs = 0;

  constructor(
    private readonly time: LoopTime,
    private readonly delayMs: number,
    private readonly run: () => void,
  ) {
    this.refresh();
  }

  get dueMs(): number {
    return this.#dueMs;
  }

  refresh(): this {
    this.#dueMs = this.time.now() + this.delayMs;
    this.time.add(this);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }

  close(): this {
    this.time.delete(this);
    return this;
  }

  fire(): void {
    this.time.delete(this);
    this.run();
  }
}

class LoopTime {
  readonly #timers = new Map<LoopTimer, NodeJS.Timeout | undefined>();
  #passedMs = system.now();
  #steppedMs = this.#passedMs;
  #ended = false;
  readonly #steps = setInterval(() => this.#step(), STEP_MS).unref();

  now(): number {
    return this.#passedMs + Math.min(system.now() - this.#steppedMs, MAX_STEP_MS);
  }

  add(timer: LoopTimer): void {
    this.delete(timer);
    const rest = timer.dueMs - this.now();
    this.#timers.set(timer, this.#ended ? system.setTimeout(() => timer.fire(), rest).unref() : undefined);
  }

  delete(timer: LoopTimer): void {
    system.clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  }

  /**
   * Ends this time. Timers that are still set, such as those of a module, continue on the time of the system.
   */
  end(): void {
    clearInterval(this.#steps);
    this.#ended = true;
    for (const timer of [...this.#timers.keys()]) timer.refresh();
  }

  #step(): void {
    this.#passedMs = this.now();
    this.#steppedMs = system.now();
    const due = [...this.#timers.keys()].filter(({ dueMs }) => dueMs <= this.#passedMs);
    for (const timer of due.toSorted((one, other) => one.dueMs - other.dueMs)) {
      if (this.#timers.has(timer)) timer.fire();
    }
  }
}

/**
 * Makes `setTimeout` and `performance.now` of this test file count only the time in which the process runs.
 * Use it in tests of time limits in which client and server run in the same process: a delay of the process
 * then does not exceed a limit. Timers of `node:` modules continue to use the time of the system.
 */
export function useLoopTime(): void {
  let time: LoopTime;
  beforeAll(() => {
    time = new LoopTime();
    performance.now = () => time.now();
    Object.assign(globalThis, {
      setTimeout: (run: (...words: unknown[]) => void, delayMs = 0, ...words: unknown[]) =>
        delayMs < MIN_DELAY_MS
          ? system.setTimeout(run, delayMs, ...words)
          : new LoopTimer(time, delayMs, () => run(...words)),
      clearTimeout: (timer: NodeJS.Timeout | LoopTimer | undefined) =>
        timer instanceof LoopTimer ? timer.close() : system.clearTimeout(timer),
    });
  });
  afterAll(() => {
    time.end();
    Object.assign(performance, { now: system.now });
    Object.assign(globalThis, { setTimeout: system.setTimeout, clearTimeout: system.clearTimeout });
  });
}
