// What is known at a point of the module's code: a term for each local and memory cell, and bounds of terms. A
// term is a value that never changes, so what is known of one stays true along the way.
import type { Term, Terms } from '../symbolic/terms.js';
import { known } from '../symbolic/terms.js';

export type Range = readonly [low: bigint, high: bigint];

export interface Cell {
  term: Term;
  bytes: number;
}

/** How deep a term is looked into for its bounds. */
const DEPTH = 4;

const last = (bits: number) => (1n << BigInt(bits)) - 1n;

export class State {
  locals: Term[];
  stack: Term[];
  globals: Term[];
  readonly cells: Map<number, Cell>;
  readonly bounds: Map<Term, Range>;

  constructor(from?: State) {
    this.locals = from ? [...from.locals] : [];
    this.stack = from ? [...from.stack] : [];
    this.globals = from ? [...from.globals] : [];
    this.cells = new Map(from?.cells);
    this.bounds = new Map(from?.bounds);
  }

  /** Bounds of a term, unsigned. */
  range(term: Term, depth = DEPTH): Range {
    const { op, parts, bits } = term;
    if (op === 'constant' || depth === 0) return [term.low, term.high];
    let [low, high]: Range = [term.low, term.high];
    const narrow = ([l, h]: Range): void => {
      if (l > low) low = l;
      if (h < high) high = h;
    };
    const noted = this.bounds.get(term);
    if (noted) narrow(noted);
    if (op === 'sum') narrow(this.rangeOfSum(term, depth - 1));
    else if (op === 'extend') narrow(this.range(parts[0]!, depth - 1));
    else if (op === 'select') {
      const [a, b] = [this.range(parts[1]!, depth - 1), this.range(parts[2]!, depth - 1)];
      narrow([a[0] < b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]]);
    } else if (op === 'shr_u' && parts[1]!.op === 'constant') {
      const [a, by] = [this.range(parts[0]!, depth - 1), parts[1]!.constant % BigInt(bits)];
      narrow([a[0] >> by, a[1] >> by]);
    } else if (op === 'and') {
      const [a, b] = [this.range(parts[0]!, depth - 1), this.range(parts[1]!, depth - 1)];
      narrow([0n, a[1] < b[1] ? a[1] : b[1]]);
    } else if (op === 'slice' && term.constant === 0n) {
      const inner = this.range(parts[0]!, depth - 1);
      if (inner[1] <= last(bits)) narrow(inner);
    } else if ((op === 'div_u' || op === 'rem_u') && this.range(parts[1]!, depth - 1)[0] > 0n) {
      const [a, b] = [this.range(parts[0]!, depth - 1), this.range(parts[1]!, depth - 1)];
      narrow(op === 'div_u' ? [a[0] / b[1], a[1] / b[0]] : [0n, a[1] < b[1] - 1n ? a[1] : b[1] - 1n]);
    }
    return [low, high];
  }

  private rangeOfSum({ bits, parts, factors, constant }: Term, depth: number): Range {
    let [low, high] = [constant, constant];
    parts.forEach((part, i) => {
      const [a, b] = this.range(part, depth);
      const factor = factors[i]!;
      low += factor * (factor < 0n ? b : a);
      high += factor * (factor < 0n ? a : b);
    });
    const size = 1n << BigInt(bits);
    if (high < 0n) [low, high] = [low + size, high + size];
    if (low >= size) [low, high] = [low - size, high - size];
    return low < 0n || high >= size ? [0n, size - 1n] : [low, high];
  }

  /** Takes note that a condition holds, or does not; false when it cannot be. */
  learn(condition: Term, holds: boolean): boolean {
    const { op, parts } = condition;
    const [a, b] = parts as [Term, Term];
    const value = known(condition);
    if (value !== undefined) return (value !== 0n) === holds;
    if (op === 'not') return this.learn(a, !holds);
    if (op === 'both') return !holds || (this.learn(a, true) && this.learn(b, true));
    if (op === 'or' && !holds) return this.learn(a, false) && this.learn(b, false);
    if (op === 'eq') return this.learnEqual(a, b, holds);
    if (op === 'ult') return holds ? this.learnLess(a, b, 1n) : this.learnLess(b, a, 0n);
    if (op === 'slt') return this.learnSigned(a, b, holds);
    const [low, high] = this.range(condition);
    return holds
      ? high > 0n && this.note(condition, [low > 1n ? low : 1n, high])
      : low === 0n && this.note(condition, [0n, 0n]);
  }

  private learnEqual(a: Term, b: Term, holds: boolean): boolean {
    const [x, y] = [this.range(a), this.range(b)];
    if (holds) {
      const both: Range = [x[0] > y[0] ? x[0] : y[0], x[1] < y[1] ? x[1] : y[1]];
      return this.note(a, both) && this.note(b, both);
    }
    const without = (of: Range, { 0: from, 1: to }: Range): Range =>
      from !== to ? of : [of[0] === from ? of[0] + 1n : of[0], of[1] === from ? of[1] - 1n : of[1]];
    return this.note(a, without(x, y)) && this.note(b, without(y, x));
  }

  /** a + by ≤ b. */
  private learnLess(a: Term, b: Term, by: bigint): boolean {
    const [x, y] = [this.range(a), this.range(b)];
    return (
      this.note(a, [x[0], x[1] < y[1] - by ? x[1] : y[1] - by]) &&
      this.note(b, [y[0] > x[0] + by ? y[0] : x[0] + by, y[1]])
    );
  }

  private learnSigned(a: Term, b: Term, holds: boolean): boolean {
    const half = 1n << BigInt(a.bits - 1);
    const [x, y] = [this.range(a), this.range(b)];
    if (x[1] < half && y[1] < half) return holds ? this.learnLess(a, b, 1n) : this.learnLess(b, a, 0n);
    // A number that is at least one that is not negative is not negative.
    if (holds && x[1] < half) return this.note(b, [y[0], half - 1n]) && this.learnLess(a, b, 1n);
    if (!holds && y[1] < half) return this.note(a, [x[0], half - 1n]) && this.learnLess(b, a, 0n);
    return true;
  }

  private note(term: Term, range: Range): boolean {
    const [low, high] = range;
    if (low > high) return false;
    if (term.op === 'constant') return low <= term.constant && term.constant <= high;
    this.bounds.set(term, range);
    const { op, parts, factors, constant, bits } = term;
    if (op === 'extend') return this.note(parts[0]!, this.within(parts[0]!, range));
    if (op === 'slice' && constant === 0n && this.range(parts[0]!)[1] <= last(bits))
      return this.note(parts[0]!, this.within(parts[0]!, range));
    if (op === 'sum' && parts.length === 1 && factors[0] === 1n) {
      const [a, b] = this.range(parts[0]!);
      // Only where the sum does not wrap.
      if (a + constant < 0n || b + constant > last(bits))
        return this.noteWrapping(parts[0]!, constant, range, bits);
      return this.note(parts[0]!, this.within(parts[0]!, [low - constant, high - constant]));
    }
    return true;
  }

  /** The part of a sum that may wrap, where the bounds of the sum say that it does not. */
  private noteWrapping(part: Term, constant: bigint, [low, high]: Range, bits: number): boolean {
    const size = 1n << BigInt(bits);
    const [a, b] = this.range(part);
    for (const [l, h] of [
      [low - constant, high - constant],
      [low - constant + size, high - constant + size],
      [low - constant - size, high - constant - size],
    ] as [bigint, bigint][]) {
      if (l <= a && h >= b) return true;
    }
    const pieces = ([0n, size, -size] as const)
      .map(shift => [low - constant + shift, high - constant + shift] as const)
      .filter(([l, h]) => l <= b && h >= a);
    if (pieces.length === 0) return false;
    if (pieces.length > 1) return true;
    return this.note(part, this.within(part, pieces[0]!));
  }

  private within(term: Term, [low, high]: Range): Range {
    const [a, b] = this.range(term);
    return [a > low ? a : low, b < high ? b : high];
  }
}

/** Values that a symbol made where two ways meet can have, when they are few constants. */
export type Choices = Map<Term, readonly bigint[]>;

/** Makes one state of those in which ways meet. */
export class Joiner {
  readonly choices: Choices = new Map();
  private readonly terms: Terms;
  private count = 0;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  fresh(bits: number, [low, high]: Range = [0n, last(bits)]): Term {
    return this.terms.symbol(`s${this.count++}`, bits, low, high);
  }

  join(states: State[]): State {
    const [first, ...others] = states as [State, ...State[]];
    return others.reduce((a, b) => this.joinTwo(a, b), first);
  }

  private joinTwo(a: State, b: State): State {
    const joined = new State();
    const met = new Map<string, Term>();
    const meet = (x: Term, y: Term): Term => {
      if (x === y) return x;
      const key = `${x.id} ${y.id}`;
      const present = met.get(key);
      if (present) return present;
      const [p, q] = [a.range(x), b.range(y)];
      const made = this.fresh(x.bits < y.bits ? x.bits : y.bits, [
        p[0] < q[0] ? p[0] : q[0],
        p[1] > q[1] ? p[1] : q[1],
      ]);
      const values = [...new Set([...(this.valuesOf(x) ?? [-1n]), ...(this.valuesOf(y) ?? [-1n])])];
      if (!values.includes(-1n) && values.length <= 24) this.choices.set(made, values);
      met.set(key, made);
      return made;
    };
    joined.locals = a.locals.map((x, i) => meet(x, b.locals[i]!));
    joined.globals = a.globals.map((x, i) => meet(x, b.globals[i]!));
    const height = Math.min(a.stack.length, b.stack.length);
    joined.stack = a.stack.slice(0, height).map((x, i) => meet(x, b.stack[i]!));
    for (const [at, cell] of a.cells) {
      const other = b.cells.get(at);
      if (other?.bytes === cell.bytes)
        joined.cells.set(at, { term: meet(cell.term, other.term), bytes: cell.bytes });
    }
    for (const [term, x] of a.bounds) {
      const y = b.bounds.get(term);
      if (y) joined.bounds.set(term, [x[0] < y[0] ? x[0] : y[0], x[1] > y[1] ? x[1] : y[1]]);
    }
    return joined;
  }

  /** The few constants that a term can be, if it is known to be one of them. */
  valuesOf(term: Term): readonly bigint[] | undefined {
    if (term.op === 'constant') return [term.constant];
    if (term.op === 'select') {
      const [a, b] = [this.valuesOf(term.parts[1]!), this.valuesOf(term.parts[2]!)];
      return a && b && [...new Set([...a, ...b])];
    }
    return this.choices.get(term);
  }
}
