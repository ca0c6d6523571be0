const REPORT_MS = 1;
/**
 * Maximum number of reports that pass at once after a late timer. More could overflow the queue of a host,
 * which holds 63.
 */
const MOST_LATE = 8;

/** Passes one report per millisecond, like a full-speed interrupt endpoint. */
export class Pacer {
  #due = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting: (() => void)[] = [];

  /**
   * Runs `action` in its turn, at once if possible. The returned function withdraws the action, and returns
   * whether the action was still waiting.
   */
  queue(action: () => void): () => boolean {
    this.#waiting.push(action);
    if (this.#timer === undefined) this.#run();
    return () => withdraw(this.#waiting, action);
  }

  /** Drops all waiting actions. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.length = 0;
  }

  #run(): void {
    this.#timer = undefined;
    const now = performance.now();
    this.#due = Math.max(this.#due, now - MOST_LATE * REPORT_MS);
    while (this.#waiting.length > 0 && this.#due <= now) {
      this.#due += REPORT_MS;
      this.#waiting.shift()!();
    }
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#run(), this.#due - now);
  }
}

/** Removes an entry from a queue. Returns false if the queue no longer has it. */
export function withdraw<T>(queue: T[], entry: T): boolean {
  const at = queue.indexOf(entry);
  if (at >= 0) queue.splice(at, 1);
  return at >= 0;
}
