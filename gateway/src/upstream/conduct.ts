/** Of the answers that are remembered. */
const REMEMBERED = 128;
/** Fewer say nothing about what is usual. */
const LEAST = 20;
/** Answers between two looks at the remembered ones. */
const RECOUNT = 16;

/**
 * How a node has answered requests of late: the time in which it gives 95 of 100 answers, and its circuit
 * breaker. Poor answers one after another open the breaker; after a pause one more opens it again, and a good
 * one closes it.
 */
export class Conduct {
  readonly #times = new Float64Array(REMEMBERED);
  #taken = 0;
  #p95Ms: number | undefined;
  #poor = 0;
  #state: 'closed' | 'open' | 'tried' = 'closed';

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Undefined until enough is known. */
  get p95Ms(): number | undefined {
    return this.#p95Ms;
  }

  /** A good answer; `milliseconds` is left out when it says nothing about the node's pace. */
  answered(milliseconds?: number): void {
    this.#poor = 0;
    if (this.#state === 'tried') this.#state = 'closed';
    if (milliseconds === undefined) return;
    this.#times[this.#taken % REMEMBERED] = milliseconds;
    this.#taken += 1;
    if (this.#taken >= LEAST && this.#taken % RECOUNT === 0) this.#recount();
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
    if (this.#state === 'open') this.#state = 'tried';
  }

  #recount(): void {
    const times = this.#times.slice(0, Math.min(this.#taken, REMEMBERED)).sort();
    this.#p95Ms = times[Math.floor(0.95 * (times.length - 1))];
  }
}
