import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** Clients per store; the least recently seen is dropped first. */
const MAX_CLIENTS = 20_000;

interface Window {
  count: number;
  endsAtMs: number;
}

/** Counts in memory, on the monotonic clock: a clock that is set back keeps nobody limited. */
export class WindowStore implements FastifyRateLimitStore {
  /** By client; the least recently seen first. */
  readonly #windows = new Map<string, Window>();

  incr(client: string, done: (error: null, count: Count) => void, windowMs: number): void {
    const nowMs = performance.now();
    const known = this.#windows.get(client);
    const window = known && nowMs < known.endsAtMs ? known : { count: 0, endsAtMs: nowMs + windowMs };
    window.count += 1;
    this.#windows.delete(client);
    this.#windows.set(client, window);
    if (this.#windows.size > MAX_CLIENTS) {
      const [oldest = client] = this.#windows.keys();
      this.#windows.delete(oldest);
    }
    done(null, { current: window.count, ttl: window.endsAtMs - nowMs });
  }

  /** No route has separate limits. */
  child(): WindowStore {
    return this;
  }
}

interface Count {
  current: number;
  /** Milliseconds. */
  ttl: number;
}
