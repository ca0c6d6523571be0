/**
 * Opens after a number of poor answers in a row. After a pause, the breaker is half open: a poor answer opens
 * it again, and a good answer closes it.
 */
export class CircuitBreaker {
  #poor = 0;
  #state: 'closed' | 'open' | 'half-open' = 'closed';
  /** What was wrong with the last poor answer. */
  reason = '';

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  succeeded(): void {
    this.#poor = 0;
    if (this.#state === 'half-open') this.#state = 'closed';
  }

  /**
   * Counts a failed or late answer. Returns whether the breaker opened. A closed breaker opens after `limit`
   * such answers in a row.
   */
  failed(limit: number, reason: string): boolean {
    this.#poor += 1;
    this.reason = reason;
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
