/** Number of latencies kept. */
const REMEMBERED = 128;
/** Fewer latencies do not show what is usual. */
const LEAST = 20;
/** Answers between two calculations of the percentile. */
const RECOUNT = 16;

/** Measures how long a node's last answers took. */
export class LatencyWindow {
  readonly #times = new Float64Array(REMEMBERED);
  #taken = 0;
  #p95Ms: number | undefined;

  /** The 95th percentile; undefined until enough answers arrived. */
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
