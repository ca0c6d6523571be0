/** Number of latencies that are kept. */
const REMEMBERED = 128;
/** Minimum number of latencies for which a percentile is calculated. */
const LEAST = 20;
/** Number of answers between two calculations of the percentile. */
const RECOUNT = 16;

/** Keeps the latencies of a node's last answers. */
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
