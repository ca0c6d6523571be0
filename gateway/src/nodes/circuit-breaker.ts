/**
 * Poor answers of a node one after another open the breaker; after a pause it is half open: one more opens it
 * again, and a good one closes it.
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

  /** A failure, or an answer that came too late; whether it opened the breaker, which `limit` in a row do. */
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
