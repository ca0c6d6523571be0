// The faults that single-faults proofs of both modules try: an inverted branch, and a flipped bit of a global.

/** Counts the executions of the conditional branches of a module, or inverts one execution. */
export class Branches {
  #target = -1;
  #remaining = 0;
  #counts: Uint32Array | undefined;

  /** Called by the module before a branch; returns the condition that decides it. */
  readonly take = (condition: number, place: number): number => {
    if (this.#counts) this.#counts[place]! += 1;
    if (place !== this.#target || --this.#remaining !== 0) return condition;
    return condition === 0 ? 1 : 0;
  };

  /** How often a run executes each of this many branches. */
  count(places: number, run: () => void): Uint32Array {
    const counts = new Uint32Array(places);
    this.#counts = counts;
    run();
    this.#counts = undefined;
    return counts;
  }

  /** Runs with the execution number `time` of a branch inverted. */
  invert<Result>(place: number, time: number, run: () => Result): Result {
    [this.#target, this.#remaining] = [place, time];
    const result = run();
    this.#target = -1;
    return result;
  }
}

/** Yields copies of globals in which one bit is flipped, each with the name of the bit. */
export function* flippedGlobals(globals: readonly (number | bigint)[]) {
  for (const [i, value] of globals.entries())
    for (let bit = 0; bit < (typeof value === 'bigint' ? 64 : 32); bit++) {
      const other =
        typeof value === 'bigint' ? BigInt.asIntN(64, value ^ (1n << BigInt(bit))) : value ^ (1 << bit);
      yield [globals.with(i, other), `bit ${bit} of global ${i}`] as const;
    }
}
