/** A number of requests that may run at the same time. */
export class Semaphore {
  readonly #permits: number;
  #taken = 0;

  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Whether a permit was free; its taker calls `release` once. */
  tryAcquire(): boolean {
    if (this.#taken >= this.#permits) return false;
    this.#taken += 1;
    return true;
  }

  release(): void {
    this.#taken -= 1;
  }
}
