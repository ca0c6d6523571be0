import type { GatewayConfig } from '../config/config.js';

/**
 * Opens for a pause after a number of poor answers in a row. After the pause, one more poor answer opens it again,
 * and a good answer closes it.
 */
export class CircuitBreaker {
  #poor = 0;
  /** The end of the last pause; 0 if the breaker is closed. */
  #openUntilMs = 0;
  /** What was wrong with the last poor answer. */
  reason = '';

  get isOpen(): boolean {
    return !this.isClosed && performance.now() < this.#openUntilMs;
  }

  get isClosed(): boolean {
    return this.#openUntilMs === 0;
  }

  succeeded(): void {
    this.#poor = 0;
    if (!this.isOpen) this.#openUntilMs = 0;
  }

  /** Counts a failed or late answer. Returns whether the breaker opened. */
  failed({ failures, pauseMs }: GatewayConfig['breaker'], reason: string): boolean {
    this.#poor += 1;
    this.reason = reason;
    if (failures === 0 || this.isOpen || (this.isClosed && this.#poor < failures)) return false;
    this.#openUntilMs = performance.now() + pauseMs;
    return true;
  }
}
