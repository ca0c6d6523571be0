import { RequestError } from '../errors.js';

/** More requests than this do not wait at once. */
export const MAX_WAITING = 256;

/** Lets requests wait for the next block. */
export class BlockWatch {
  readonly #waiting = new Set<() => void>();
  #closed = false;

  /** A block was made: everyone who waits looks again. */
  announce(): void {
    for (const wake of [...this.#waiting]) {
      wake();
    }
  }

  /** Resolves at the next block, after the time, at the abort, or when the node stops; throws RequestError 503 when too many wait. */
  next(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) {
      throw new RequestError(503, 'Too many requests wait for a block: ask without wait_ms');
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
      if (this.#closed || signal.aborted) {
        wake();
      }
    });
  }

  /** Ends every wait, and those to come at once. */
  close(): void {
    this.#closed = true;
    this.announce();
  }

  /** How many requests wait now. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get closed(): boolean {
    return this.#closed;
  }
}
