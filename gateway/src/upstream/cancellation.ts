/**
 * Cancels the work for a client that has left. Every read creates a Cancellation. Creating one takes less
 * than 0.1 µs; an AbortSignal with a listener would take 3 µs.
 */
export class Cancellation {
  #isCancelled = false;
  #end: (() => void) | undefined;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Sets the function that `cancel` calls; it replaces the previous one. */
  ends(running: () => void): void {
    this.#end = running;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#end?.();
  }
}
