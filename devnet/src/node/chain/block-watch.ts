import { RequestError } from '@zbc-signer/gateway/server';

/** Maximum number of requests that may wait at the same time. */
export const MAX_WAITING = 256;

/** Lets requests wait for the next block. */
export class BlockWatch {
  readonly #waiting = new Set<() => void>();
  #closed = false;

  /** Wakes every waiting request. */
  announce(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /**
   * Resolves at the next block, timeout, abort or `close`. If MAX_WAITING calls already wait, throws RequestError
   * 503.
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) {
      throw new RequestError(503, 'Too many requests wait for a block: send the request without wait_ms');
    }
    return new Promise(resolve => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake, { once: true });
      this.#waiting.add(wake);
      if (this.#closed || signal.aborted) wake();
    });
  }

  /** Ends every wait. A wait that begins later ends at once. */
  close(): void {
    this.#closed = true;
    this.announce();
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get closed(): boolean {
    return this.#closed;
  }
}
