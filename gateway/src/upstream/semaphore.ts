/** Limits the number of concurrent requests. */
export class Semaphore {
  readonly #permits: number;
  #taken = 0;

  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Returns whether a permit was free. If so, the caller must call `release` once. */
  tryAcquire(): boolean {
    if (this.#taken >= this.#permits) return false;
    this.#taken += 1;
    return true;
  }

  release(): void {
    this.#taken -= 1;
  }
}
