const REPORT_MS = 1;
/** A timer that fires late is made up for by this many reports at once: a host's queue holds 63. */
const MOST_LATE = 8;

/** Lets one report through a millisecond, as a full-speed interrupt endpoint does. */
export class Pacer {
  #due = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting: (() => void)[] = [];

  /**
   * Runs `action` in its turn, at once if it can; the function returned withdraws it, and says whether it
   * still waited.
   */
  queue(action: () => void): () => boolean {
    this.#waiting.push(action);
    if (this.#timer === undefined) this.#run();
    return () => withdraw(this.#waiting, action);
  }

  /** Drops what waits. */
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

/** Takes an entry out of a queue; false when it is not there any more. */
export function withdraw<T>(queue: T[], entry: T): boolean {
  const at = queue.indexOf(entry);
  if (at >= 0) queue.splice(at, 1);
  return at >= 0;
}
