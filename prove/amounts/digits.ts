// Represents numbers by their decimal digits. A proof knows only which digits are 0. Dividing by a power of
// ten selects some of the digits, as quotient or as remainder.
import { UnprovenClaim } from '../control.js';

/** The digits from index `low` up to, but not including, `high` of a number below 10^20. */
export interface Slice {
  readonly kind: 'slice';
  readonly of: string;
  readonly low: number;
  readonly high: number;
}

/** Ends a path that is impossible for every number. */
class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

interface Choice {
  taken: boolean;
  isOpen: boolean;
}

/** Runs code once for each path that its branches on zero digits can take. */
export class Zeros {
  paths = 0;
  #trail: Choice[] = [];
  #at = 0;
  #known = new Map<string, boolean>();
  /** Slices with a digit other than 0. */
  #nonZero: Slice[] = [];

  explore(run: () => void): void {
    do {
      this.#at = 0;
      this.#known = new Map();
      this.#nonZero = [];
      try {
        run();
        this.paths++;
      } catch (error) {
        if (!(error instanceof Contradiction)) throw error;
      }
    } while (this.#turn());
  }

  /** Returns whether all digits of a slice are 0, on this path. */
  isZero(slice: Slice): boolean {
    const digits = placesOf(slice);
    if (digits.some(key => this.#known.get(key) === false)) return false;
    if (digits.every(key => this.#known.get(key))) return true;
    const open = digits.filter(key => !this.#known.has(key));
    const zero = this.#choose();
    if (zero) for (const key of open) this.#known.set(key, true);
    else if (open.length === 1) this.#known.set(open[0]!, false);
    else this.#nonZero.push(slice);
    this.#check();
    return zero;
  }

  /** Returns whether a signed number is below 0 on this path. */
  isNegative(of: string): boolean {
    const key = `sign of ${of}`;
    const known = this.#known.get(key) ?? this.#choose();
    this.#known.set(key, known);
    return known;
  }

  /**
   * Returns whether all digits are 0. Throws an UnprovenClaim if no branch of this path has depended on that.
   */
  hasDecided(slice: Slice): boolean {
    const before = this.#at;
    const zero = this.isZero(slice);
    if (this.#at !== before) throw new UnprovenClaim(`the output does not depend on digit ${slice.low}`);
    return zero;
  }

  /** Takes one of two branches. */
  #choose(): boolean {
    if (this.#at === this.#trail.length) this.#trail.push({ taken: true, isOpen: true });
    return this.#trail[this.#at++]!.taken;
  }

  #check(): void {
    for (const slice of this.#nonZero) {
      const left = placesOf(slice).filter(key => this.#known.get(key) !== true);
      if (left.length === 0) throw new Contradiction();
      if (left.length === 1) this.#known.set(left[0]!, false);
    }
  }

  #turn(): boolean {
    this.#trail.length = this.#at;
    while (this.#trail.length > 0) {
      const { isOpen } = this.#trail.pop()!;
      if (!isOpen) continue;
      this.#trail.push({ taken: false, isOpen: false });
      return true;
    }
    return false;
  }
}

function placesOf({ of, low, high }: Slice): string[] {
  return Array.from({ length: high - low }, (_, i) => `${of} ${low + i}`);
}
