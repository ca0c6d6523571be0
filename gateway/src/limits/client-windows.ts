/** Clients per counter; the least recently seen is dropped first. */
const MAX_CLIENTS = 20_000;

/** Of one client, after a request was counted. */
export interface Count {
  isExceeded: boolean;
  maximum: number;
  remaining: number;
  resetSeconds: number;
}

interface Window extends Count {
  count: number;
  endsAtMs: number;
}

/** Counts in memory, on the monotonic clock: a clock that is set back keeps nobody limited. */
export class ClientWindows {
  readonly #maximum: number;
  readonly #windowMs: number;
  /** By client; the least recently seen first. */
  readonly #windows = new Map<string, Window>();

  constructor({ maximum, windowMs }: { maximum: number; windowMs: number }) {
    this.#maximum = maximum;
    this.#windowMs = windowMs;
  }

  /** The result is the client's, and holds until its next request. */
  count(client: string): Readonly<Count> {
    const nowMs = performance.now();
    const window = this.#of(client, nowMs);
    window.count += 1;
    window.isExceeded = window.count > this.#maximum;
    window.remaining = Math.max(0, this.#maximum - window.count);
    // The difference of two sums may be a little more than the window.
    window.resetSeconds = Math.ceil(Math.min(window.endsAtMs - nowMs, this.#windowMs) / 1000);
    return window;
  }

  #of(client: string, nowMs: number): Window {
    const known = this.#windows.get(client);
    const window = known !== undefined && nowMs < known.endsAtMs ? known : this.#begin(nowMs);
    this.#windows.delete(client);
    this.#windows.set(client, window);
    if (this.#windows.size > MAX_CLIENTS) {
      const [oldest = client] = this.#windows.keys();
      this.#windows.delete(oldest);
    }
    return window;
  }

  #begin(nowMs: number): Window {
    const maximum = this.#maximum;
    const endsAtMs = nowMs + this.#windowMs;
    return { count: 0, endsAtMs, isExceeded: false, maximum, remaining: maximum, resetSeconds: 0 };
  }
}
