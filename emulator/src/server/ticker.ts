import type { Emulator } from '../harness/emulator.js';

/** Length of a tick, as in Speculos. */
const TICK_MS = 100;

interface Limit {
  remaining: number;
  expire(): void;
}

/** Ticks, in which clients of Speculos measure their waits. Ticks pass only while a client waits. */
export class Ticker {
  #paused = false;
  #limits = new Set<Limit>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly emulator: Emulator) {
    emulator.on('stop', () => {
      this.#limits.clear();
      this.#schedule();
    });
  }

  /** While it is paused, a tick passes only when `step` is called. */
  set paused(paused: boolean) {
    this.#paused = paused;
    this.#schedule();
  }

  /** Lets one tick pass; resolves at its end, or earlier if the screen changes or the emulator is stopped. */
  async step(): Promise<void> {
    await new Promise<void>(resolve => {
      const end = () => {
        clearTimeout(timer);
        this.emulator.off('screen', end).off('stop', end);
        resolve();
      };
      const timer = setTimeout(end, TICK_MS);
      this.emulator.on('screen', end).on('stop', end);
    });
    this.#tick();
  }

  /**
   * Calls `expire` after more than `ticks` ticks, but never if `ticks` is 0 or the returned function was
   * called.
   */
  limit(ticks: number, expire: () => void): () => void {
    if (ticks === 0) return () => undefined;
    const limit = { remaining: ticks, expire };
    this.#limits.add(limit);
    this.#schedule();
    return () => {
      this.#limits.delete(limit);
      this.#schedule();
    };
  }

  #tick(): void {
    for (const limit of this.#limits) {
      if (limit.remaining-- > 0) continue;
      this.#limits.delete(limit);
      limit.expire();
    }
    this.#schedule();
  }

  /** Starts or stops the clock. */
  #schedule(): void {
    const isRunning = !this.#paused && this.#limits.size > 0;
    if (isRunning) this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    if (isRunning) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
