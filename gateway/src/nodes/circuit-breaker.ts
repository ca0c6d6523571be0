/**
 * Opens after a number of poor answers in a row. After a pause it is half open: a poor answer opens it again,
 * a good one closes it.
 */
export class CircuitBreaker {
  #poor = 0;
  #state: 'closed' | 'open' | 'half-open' = 'closed';

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  succeeded(): void {
    this.#poor = 0;
    if (this.#state === 'half-open') this.#state = 'closed';
  }

  /** Counts a failed or late answer; returns whether it opened the breaker, as `limit` in a row do. */
  failed(limit: number): boolean {
    this.#poor += 1;
    if (limit === 0 || this.#state === 'open') return false;
    if (this.#state === 'closed' && this.#poor < limit) return false;
    this.#state = 'open';
    return true;
  }

  /** Ends the pause of an open breaker. */
  tryAgain(): void {
    if (this.#state === 'open') this.#state = 'half-open';
  }
}
