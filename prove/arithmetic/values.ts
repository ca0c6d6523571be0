// The values in the proofs of the arithmetic: integers that are polynomials over symbols within bounds, and
// finite functions of a few bits. An integer represents the machine word to which it is congruent.

import type { Polynomial } from './polynomial.js';
import * as polynomial from './polynomial.js';

/** An integer as a polynomial over symbols, with bounds that hold for all values of the symbols. */
export interface Integer {
  kind: 'integer';
  polynomial: Polynomial;
  low: bigint;
  high: bigint;
}

/**
 * A value for each assignment of the bits in `support`. The first of these bits is the lowest bit of the
 * index into `values`.
 */
export interface Finite {
  kind: 'finite';
  support: readonly number[];
  values: readonly bigint[];
}

/** A word of 32 bits that are each 0, 1 or named. */
interface BitWord {
  kind: 'bits';
  first: number;
}

/** Two words loaded as one of twice the width. */
interface Pair {
  kind: 'pair';
  words: readonly [Value, Value];
}

export type Value = Integer | Finite | BitWord | Pair;

/** A claim is false, or could not be shown. */
export class NotProved extends Error {
  override readonly name = 'NotProved';
}

export function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new NotProved(what);
}

const MAX_SUPPORT = 6;

export function exact(value: bigint): Finite {
  return { kind: 'finite', support: [], values: [value] };
}

/** Returns the value, if it depends on no symbol. */
export function known(value: Value): bigint | undefined {
  if (value.kind === 'finite' && value.support.length === 0) return value.values[0];
  return value.kind === 'integer' ? polynomial.constantOf(value.polynomial) : undefined;
}

/** Applies a function to finite values, for each assignment of their bits. */
export function pointwise(operands: Finite[], compute: (values: bigint[]) => bigint): Finite {
  const support = [...new Set(operands.flatMap(each => each.support))].sort((a, b) => a - b);
  require(support.length <= MAX_SUPPORT, 'a value depends on too many bits');
  const places = operands.map(each => each.support.map(bit => support.indexOf(bit)));
  const values = Array.from({ length: 2 ** support.length }, (_, assignment) =>
    compute(
      operands.map((each, n) => {
        const index = places[n]!.reduce((sum, place, i) => sum | (((assignment >> place) & 1) << i), 0);
        return each.values[index]!;
      }),
    ),
  );
  return { kind: 'finite', support, values };
}

/** Bounds of a product from those of its factors. */
function product(a: readonly [bigint, bigint], b: readonly [bigint, bigint]): [bigint, bigint] {
  const corners = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
  return [corners.reduce((x, y) => (x < y ? x : y)), corners.reduce((x, y) => (x > y ? x : y))];
}

interface Quotient {
  of: Polynomial;
  shift: bigint;
}

/** The symbols of a proof with their bounds. Some symbols represent the quotient of an integer. */
export class Algebra {
  readonly bounds: [bigint, bigint][] = [];
  readonly quotients: (Quotient | undefined)[] = [];
  readonly #ids = new Map<string, number>();
  /** The polynomial that each remainder symbol represents. */
  readonly #remainders = new Map<number, Polynomial>();

  symbol(low: bigint, high: bigint): Integer {
    const id = this.bounds.push([low, high]) - 1;
    return { kind: 'integer', polynomial: polynomial.symbol(id), low, high };
  }

  integer(of: Polynomial, low: bigint, high: bigint): Integer {
    return { kind: 'integer', polynomial: of, low, high };
  }

  /** Returns a value as an integer. Throws for a value that is neither an integer nor a single number. */
  toInteger(value: Value): Integer {
    if (value.kind === 'integer') return value;
    const single = known(value);
    require(single !== undefined, 'an integer is combined with a value that depends on single bits');
    return this.integer(polynomial.constant(single), single, single);
  }

  add(a: Integer, b: Integer, factor = 1n): Integer {
    const [low, high] = factor === 1n ? [b.low, b.high] : [-b.high, -b.low];
    return this.#tightened(
      this.integer(polynomial.add(a.polynomial, b.polynomial, factor), a.low + low, a.high + high),
    );
  }

  multiply(a: Integer, b: Integer): Integer {
    const [low, high] = product([a.low, a.high], [b.low, b.high]);
    const isSquare = a === b || polynomial.keyOf(a.polynomial) === polynomial.keyOf(b.polynomial);
    return this.integer(
      polynomial.multiply(a.polynomial, b.polynomial),
      isSquare && low < 0n ? 0n : low,
      high,
    );
  }

  /** ⌊a / 2^shift⌋, in a unique form for each value. */
  quotient(a: Integer, shift: bigint): Integer {
    const [low, high] = [a.low >> shift, a.high >> shift];
    const written = this.expand(a.polynomial);
    if (polynomial.isMultiple(written, 1n << shift)) {
      return this.integer(polynomial.divide(written, 1n << shift), low, high);
    }
    const reduced = this.#reduce(a.polynomial, shift);
    if (reduced.shift === 0n) return this.integer(reduced.of, low, high);
    if (low === high) return this.integer(polynomial.constant(low), low, low);
    const key = `${reduced.shift}|${polynomial.keyOf(reduced.of)}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.bounds.push([low, high]) - 1;
      this.#ids.set(key, id);
      this.quotients[id] = reduced;
    }
    return this.integer(polynomial.symbol(id), low, high);
  }

  /** a mod 2^bits, as a symbol that `expand` replaces by its definition. */
  remainder(a: Integer, bits: bigint): Integer {
    if (a.low >= 0n && a.high < 1n << bits) return a;
    const whole = this.quotient(a, bits);
    const rest = this.expand(polynomial.add(a.polynomial, whole.polynomial, -(1n << bits)));
    const single = polynomial.constantOf(rest);
    if (single !== undefined) return this.integer(rest, single, single);
    const key = `%${bits}|${polynomial.keyOf(rest)}`;
    const last = (1n << bits) - 1n;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.bounds.push([0n, last]) - 1;
      this.#ids.set(key, id);
      this.#remainders.set(id, rest);
    }
    return this.integer(polynomial.symbol(id), 0n, last);
  }

  /** Returns whether a polynomial is the definition of a remainder modulo 2^bits. */
  isRemainder(of: Polynomial, bits: bigint): boolean {
    return this.#ids.has(`%${bits}|${polynomial.keyOf(of)}`);
  }

  /** Returns the polynomial with every remainder replaced by its definition. */
  expand(of: Polynomial): Polynomial {
    let expanded = polynomial.ZERO;
    for (const [symbols, coefficient] of polynomial.terms(of)) {
      let term = polynomial.constant(coefficient);
      for (const id of symbols) {
        term = polynomial.multiply(term, this.#remainders.get(id) ?? polynomial.symbol(id));
      }
      expanded = polynomial.add(expanded, term);
    }
    return expanded;
  }

  /** Bounds of a polynomial from those of its symbols. */
  boundsOf(of: Polynomial): [bigint, bigint] {
    let [low, high] = [0n, 0n];
    for (const [symbols, coefficient] of polynomial.terms(of)) {
      let term: [bigint, bigint] = [coefficient, coefficient];
      for (const id of symbols) term = product(term, this.bounds[id]!);
      low += term[0];
      high += term[1];
    }
    return [low, high];
  }

  /**
   * Replaces ⌊(A + 2^j·B) / 2^k⌋ by ⌊B / 2^(k−j)⌋ if 0 ≤ A < 2^j, and the quotient of a quotient by one
   * quotient.
   */
  #reduce(of: Polynomial, shift: bigint): Quotient {
    const places = new Map([...of].map(([monomial, coefficient]) => [monomial, twos(coefficient, shift)]));
    const candidates = [...new Set([...places.values(), shift])]
      .filter(j => j > 0n)
      .sort((a, b) => (a > b ? -1 : 1));
    for (const j of candidates) {
      const below = new Map([...of].filter(([monomial]) => places.get(monomial)! < j));
      const [low, high] = this.boundsOf(below);
      if (low < 0n || high >= 1n << j) continue;
      const above = new Map([...of].filter(([monomial]) => places.get(monomial)! >= j));
      return this.#reduce(polynomial.divide(above, 1n << j), shift - j);
    }
    if (shift > 0n && of.size === 1) {
      const [[monomial, coefficient]] = [...of] as [[string, bigint]];
      const inner =
        coefficient === 1n && /^\d+$/.test(monomial) ? this.quotients[Number(monomial)] : undefined;
      if (inner) return this.#reduce(inner.of, inner.shift + shift);
    }
    return { of, shift };
  }

  /** Tightens the bounds of 2^s·(D − 2^k·⌊D / 2^k⌋) + c; they do not depend on D. */
  #tightened(value: Integer): Integer {
    for (const [symbols, coefficient] of polynomial.terms(value.polynomial)) {
      const definition = symbols.length === 1 ? this.quotients[symbols[0]!] : undefined;
      if (!definition || coefficient >= 0n) continue;
      const size = 1n << definition.shift;
      if (-coefficient % size !== 0n) continue;
      const multiple = -coefficient / size;
      const rest = polynomial.add(
        polynomial.add(value.polynomial, polynomial.symbol(symbols[0]!), -coefficient),
        definition.of,
        -multiple,
      );
      const offset = polynomial.constantOf(rest);
      if (offset === undefined) continue;
      const [low, high] = [offset, offset + multiple * (size - 1n)];
      return {
        ...value,
        low: low > value.low ? low : value.low,
        high: high < value.high ? high : value.high,
      };
    }
    return value;
  }
}

/** Returns the number of factors of 2, at most `most`. */
function twos(value: bigint, most: bigint): bigint {
  let count = 0n;
  while (count < most && (value & 1n) === 0n) {
    value >>= 1n;
    count++;
  }
  return count;
}
