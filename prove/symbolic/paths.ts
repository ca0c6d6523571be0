// Runs code along every path that its conditions allow. Each path runs from the beginning, and reuses earlier
// decisions without another query.
import { UnprovenClaim } from '../control.js';
import { isCondition, known, type Term, type Terms } from './terms.js';

/** Decides which conditions can hold together. */
export interface Oracle {
  readonly terms: Terms;
  /** Opens and closes a scope of assertions. */
  push(): void;
  pop(): void;
  assert(condition: Term): void;
  /** Returns whether a condition is compatible with all assertions. */
  isPossible(condition: Term): boolean;
}

/** Ends a path that need not be followed. */
export class PathEnd extends Error {
  override readonly name = 'PathEnds';
}

interface Step {
  taken: boolean;
  condition: Term | undefined;
  /** Whether the other branch is possible too, and not followed yet. */
  isOpen: boolean;
  /** Whether the solver received the taken branch in a separate scope. */
  hasScope: boolean;
}

export class Paths {
  count = 0;
  readonly terms: Terms;
  readonly #solver: Oracle;
  readonly #trail: Step[] = [];
  /** Decisions and assumptions on the path so far, which need no query. */
  readonly #facts = new Set<Term>();
  #at = 0;
  #names = 0;

  constructor(solver: Oracle) {
    this.terms = solver.terms;
    this.#solver = solver;
  }

  /** Runs a function once for each path. It must make the same decisions in the same order each time. */
  explore(run: () => void): void {
    this.#solver.push();
    try {
      do {
        this.#at = 0;
        this.#facts.clear();
        this.#names = 0;
        this.count++;
        try {
          run();
        } catch (error) {
          if (!(error instanceof PathEnd)) throw error;
        }
      } while (this.#turn());
    } finally {
      while (this.#trail.length > 0) if (this.#trail.pop()!.hasScope) this.#solver.pop();
      this.#solver.pop();
    }
  }

  /**
   * Returns whether a condition is not zero on this path. If both outcomes are possible, both are followed.
   */
  decide(condition: Term): boolean {
    const value = known(condition);
    if (value !== undefined) return value !== 0n;
    const test = isCondition(condition) ? condition : this.terms.not(this.terms.not(condition));
    if (known(test) !== undefined) return known(test) !== 0n;
    if (this.#facts.has(test)) return true;
    if (this.#facts.has(this.terms.not(test))) return false;
    const step = this.#next(() => {
      const taken = this.#solver.isPossible(test);
      const isOpen = taken && this.#solver.isPossible(this.terms.not(test));
      if (isOpen) this.#enter(test);
      return { taken, isOpen, condition: test, hasScope: isOpen };
    });
    this.#facts.add(step.taken ? test : this.terms.not(test));
    return step.taken;
  }

  /** Assumes a condition on this path. */
  assume(condition: Term): void {
    this.#facts.add(condition);
    this.#next(() => {
      this.#solver.assert(condition);
      return { taken: true, isOpen: false, condition: undefined, hasScope: false };
    });
  }

  /** Returns whether a condition holds, for every input. */
  holds(condition: Term): boolean {
    const value = known(condition);
    if (value !== undefined) return value !== 0n;
    if (this.#facts.has(condition)) return true;
    const { taken } = this.#next(() => {
      const taken = !this.#solver.isPossible(this.terms.not(condition));
      return { taken, isOpen: false, condition: undefined, hasScope: false };
    });
    if (taken) this.#facts.add(condition);
    return taken;
  }

  /** Throws an UnprovenClaim unless a condition holds on this path, for every input. */
  require(condition: Term, what: string): void {
    if (!this.holds(condition)) throw new UnprovenClaim(what);
  }

  /** Returns a value of which only the bounds are known. */
  fresh(bits: number, low = 0n, high = (1n << BigInt(bits)) - 1n): Term {
    const symbol = this.terms.symbol(`fresh${this.#names++}`, bits, low, high);
    this.assumeBounds(symbol);
    return symbol;
  }

  /** Gives the solver the bounds of a symbol. */
  assumeBounds(symbol: Term): void {
    this.assume(this.terms.within(symbol));
  }

  #next(make: () => Step): Step {
    if (this.#at === this.#trail.length) this.#trail.push(make());
    return this.#trail[this.#at++]!;
  }

  #enter(condition: Term): void {
    this.#solver.push();
    this.#solver.assert(condition);
  }

  /** Returns to the last branch that was not followed; returns false if there is none. */
  #turn(): boolean {
    while (this.#trail.length > 0) {
      const step = this.#trail.pop()!;
      if (step.hasScope) this.#solver.pop();
      if (!step.isOpen) continue;
      this.#enter(this.terms.not(step.condition!));
      this.#trail.push({ ...step, taken: false, isOpen: false, hasScope: true });
      return true;
    }
    return false;
  }
}
