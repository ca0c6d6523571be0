const KEPT_ERRORS = 20;

/** Counts the outcomes of requests. */
export class Outcomes {
  readonly #statuses = new Map<number, number>();
  readonly #durationsMs: number[] = [];
  #slowest = { name: '', ms: 0 };
  #abandoned = 0;
  #errorCount = 0;
  /** The first errors, in words. */
  readonly #errors: string[] = [];

  answered(name: string, status: number, ms: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#durationsMs.push(ms);
    if (ms > this.#slowest.ms) this.#slowest = { name, ms };
  }

  abandoned(): void {
    this.#abandoned += 1;
  }

  failed(name: string, reason: string): void {
    this.#errorCount += 1;
    if (this.#errors.length < KEPT_ERRORS) this.#errors.push(`${name}: ${reason}`);
  }

  errors(): string[] {
    const more = this.#errorCount - this.#errors.length;
    return more === 0 ? this.#errors : [...this.#errors, `${more} more requests failed`];
  }

  describe(): string[] {
    const sorted = this.#durationsMs.sort((one, other) => one - other);
    const quantile = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    const statuses = [...this.#statuses].sort().map(([status, count]) => `${status} ${count}`);
    return [
      `requests by status: ${statuses.join(', ')}; given up by the client on purpose: ${this.#abandoned}`,
      `from the time when a request was due until its last byte: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, ` +
        `slowest ${this.#slowest.ms.toFixed(0)} ms (${this.#slowest.name})`,
    ];
  }
}
