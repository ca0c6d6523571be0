/** Hedges that may follow one another at once. */
const MOST = 64;
/** A tenth of the reads, so that nodes that are slow under load are not asked twice as much. */
const EARNED_BY_READ = 0.1;

/** The second questions that slow reads may have. */
export class HedgeBudget {
  #left = MOST;

  earn(): void {
    this.#left = Math.min(MOST, this.#left + EARNED_BY_READ);
  }

  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
