/** Maximum number of clients per counter. Above it, the client that was seen least recently is dropped. */
const MAX_CLIENTS = 20_000;

/** One client's count, including the request just counted. */
export interface ClientCount {
  isExceeded: boolean;
  maximum: number;
  remaining: number;
  resetSeconds: number;
}

interface Window extends ClientCount {
  count: number;
  endsAtMs: number;
}

/**
 * Counts each client's requests in windows of a monotonic clock, so that a clock set back does not prolong a
 * limit.
 */
export class ClientWindows {
  readonly #maximum: number;
  readonly #windowMs: number;
  /** Windows by client. The client that was seen least recently is first. */
  readonly #windows = new Map<string, Window>();

  constructor({ maximum, windowMs }: { maximum: number; windowMs: number }) {
    this.#maximum = maximum;
    this.#windowMs = windowMs;
  }

  /** Returns the client's count, valid until its next request. */
  count(client: string): Readonly<ClientCount> {
    const nowMs = performance.now();
    const window = this.#of(client, nowMs);
    window.count += 1;
    window.isExceeded = window.count > this.#maximum;
    window.remaining = Math.max(0, this.#maximum - window.count);
    // Rounding may make the difference slightly longer than the window.
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
