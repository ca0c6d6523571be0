/** Of the answers that are remembered. */
const REMEMBERED = 128;
/** Fewer say nothing about what is usual. */
const LEAST = 20;
/** Answers between two looks at the remembered ones. */
const RECOUNT = 16;

/** How long a node's last answers took. */
export class LatencyWindow {
  readonly #times = new Float64Array(REMEMBERED);
  #taken = 0;
  #p95Ms: number | undefined;

  /** The time in which it gives 95 of 100 answers; undefined until enough is known. */
  get p95Ms(): number | undefined {
    return this.#p95Ms;
  }

  add(milliseconds: number): void {
    this.#times[this.#taken % REMEMBERED] = milliseconds;
    this.#taken += 1;
    if (this.#taken < LEAST || this.#taken % RECOUNT !== 0) return;
    const times = this.#times.slice(0, Math.min(this.#taken, REMEMBERED)).sort();
    this.#p95Ms = times[Math.floor(0.95 * (times.length - 1))];
  }
}
