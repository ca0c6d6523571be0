// The knowledge at one point of the module's code: the words in locals, globals and memory cells, their
// ranges, and the conditions of branches.
import {
  ANY32,
  anyOf,
  intersection,
  interval,
  isWithin,
  ofValues,
  type Range,
  union,
  valuesOf,
  wrapped,
} from './range.js';
import { sum, symbol, type Term } from './term.js';

/** The known range of a sum without its constant, with a positive first factor. */
interface Note {
  term: Term;
  range: Range;
}

/** `cells[lesser] <= cells[greater] + plus`, by index. */
export interface Relation {
  readonly lesser: number;
  readonly greater: number;
  readonly plus: number;
  readonly isAssumed: boolean;
}

const SIZE = 2 ** 32;
const MANY_NOTES = 80;

interface Frame {
  readonly locals: readonly Term[];
  readonly stack: readonly Term[];
  readonly outer: Frame | undefined;
}

export class State {
  locals: Term[] = [];
  stack: Term[] = [];
  globals: Term[] = [];
  /** Locals and stacks of the callers. */
  outer: Frame | undefined;
  /** Some cells are missing in the pass that discovers them. The array is shared until one is set. */
  cells: readonly (Term | undefined)[] = [];
  #ownsCells = false;
  #notes = new Map<Term, Range>();
  #sums = new Map<string, Note>();
  #ownsNotes = true;
  /** Each term has two conditions as its parts, and at least one of the two is true. */
  #choices: readonly Term[] = [];

  /** Words that were loaded from one of several cells since the last write to a cell. */
  #loads = new Map<string, Term>();

  /**
   * Returns the word that was loaded there before. If there is none, the word from `make`, which is then
   * remembered.
   */
  remembered(address: Term, offset: number, op: string, make: () => Term): Term {
    const key = `${address.id} ${offset} ${op}`;
    let term = this.#loads.get(key);
    if (!term) {
      term = make();
      this.#loads.set(key, term);
    }
    return term;
  }

  setCell(index: number, term: Term): void {
    if (this.#loads.size > 0) this.#loads = new Map();
    if (!this.#ownsCells) this.cells = this.cells.slice();
    this.#ownsCells = true;
    (this.cells as Term[])[index] = term;
  }

  #ownNotes(): void {
    if (this.#ownsNotes) return;
    const live = this.#notes.size > MANY_NOTES ? this.#live() : undefined;
    this.#notes = live ? new Map([...this.#notes].filter(([term]) => live.has(term))) : new Map(this.#notes);
    this.#sums = live
      ? new Map([...this.#sums].filter(([, { term }]) => term.parts.every(part => live.has(part))))
      : new Map(this.#sums);
    this.#ownsNotes = true;
  }

  /** Words that are still in use, and their parts. */
  #live(): Set<Term> {
    const found = new Set<Term>();
    const add = (term: Term | undefined, depth: number): void => {
      if (!term || term.op === 'constant' || found.has(term)) return;
      found.add(term);
      if (depth > 0) for (const part of term.parts) add(part, depth - 1);
    };
    for (const list of [this.locals, this.stack, this.globals, this.cells])
      for (const each of list) add(each, 3);
    for (let frame = this.outer; frame; frame = frame.outer)
      for (const list of [frame.locals, frame.stack]) for (const each of list) add(each, 3);
    return found;
  }

  copy(): State {
    const copy = new State();
    copy.locals = this.locals.slice();
    copy.stack = this.stack.slice();
    copy.globals = this.globals.slice();
    copy.outer = this.outer;
    copy.#choices = this.#choices;
    copy.cells = this.cells;
    copy.#loads = new Map(this.#loads);
    copy.#notes = this.#notes;
    copy.#sums = this.#sums;
    this.#ownsCells = false;
    this.#ownsNotes = false;
    copy.#ownsNotes = false;
    return copy;
  }

  range(term: Term): Range {
    if (term.op === 'constant') return term.range;
    if (term.op === 'sum') return this.#rangeOfSum(term);
    return this.#notes.get(term) ?? term.range;
  }

  /** Returns the difference of two 32-bit words, as a word. */
  difference(a: Term, b: Term): Term | undefined {
    return sum([
      [a, 1],
      [b, -1],
    ]);
  }

  #rangeOfIntegers({ parts, factors, constant }: Term): [number, number] {
    let [low, high] = [constant, constant];
    for (let i = 0; i < parts.length; i++) {
      const { low: a, high: b } = this.range(parts[i]!);
      const factor = factors[i]!;
      low += factor * (factor < 0 ? b : a);
      high += factor * (factor < 0 ? a : b);
    }
    return [low, high];
  }

  #rangeOfSum(term: Term): Range {
    const { parts, factors, constant } = term;
    const [low, high] = this.#rangeOfIntegers(term);
    let range = wrapped(low, high, 32);
    const [factor] = factors as [number];
    if (parts.length === 1) {
      const part = this.range(parts[0]!);
      const values = part.values || factor > 1 ? valuesOf(part) : undefined;
      if (values && low >= ANY32.low && high <= ANY32.high)
        return ofValues(values.map(each => each * factor + constant));
      return range;
    }
    for (const { term: base, range: noted } of this.#sums.values()) {
      let shared = 0;
      for (const part of base.parts) if (parts.includes(part)) shared++;
      if (parts.length + base.parts.length - 2 * shared > 2) continue;
      for (const sign of [1, -1]) {
        const rest = sum([
          [term, 1],
          [base, -sign],
        ]);
        if (!rest) continue;
        const of = rest.op === 'sum' && rest.parts.length > 1 ? this.#noted(rest) : this.range(rest);
        if (!of) continue;
        const [a, b] = sign === 1 ? [noted.low, noted.high] : [-noted.high, -noted.low];
        range = intersection(range, wrapped(of.low + a, of.high + b, 32)) ?? range;
      }
    }
    return range;
  }

  /** Returns the range that was noted for this sum; undefined if none was noted. */
  #noted(term: Term): Range | undefined {
    const sign = term.factors[0]! > 0 ? 1 : -1;
    const base = sum([[term, sign]], -sign * term.constant);
    const range = base && this.#sums.get(keyOf(base))?.range;
    if (!range) return undefined;
    const { constant } = term;
    return sign === 1
      ? wrapped(range.low + constant, range.high + constant, 32)
      : wrapped(constant - range.high, constant - range.low, 32);
  }

  /** Notes that a word is within a range; returns false if that is impossible. */
  note(term: Term, range: Range): boolean {
    const before = this.range(term);
    const after = intersection(before, range);
    if (!after) return false;
    if (term.op === 'constant' || isWithin(before, range)) return true;
    if (term.op === 'sum') return this.#noteSum(term, after);
    this.#ownNotes();
    this.#notes.set(term, after);
    return this.#noteSource(term, after);
  }

  /** Derives knowledge about the operand from an instruction's result. */
  #noteSource({ op, parts }: Term, range: Range): boolean {
    const [part, other] = parts as [Term, Term];
    if (op === 'select') return true;
    const by = other?.op === 'constant' ? other.constant : undefined;
    if (op === 'i64.extend_i32_u' && this.range(part).low >= 0) return this.note(part, range);
    if (op === 'i64.extend_i32_s') return this.note(part, range);
    if (op === 'i32.wrap_i64' && this.range(part).low >= ANY32.low && this.range(part).high <= ANY32.high)
      return this.note(part, range);
    if (op === 'i32.shr_u' && by !== undefined && by > 0 && range.low >= 0 && this.range(part).low >= 0)
      return this.note(part, interval(range.low * 2 ** by, range.high * 2 ** by + 2 ** by - 1));
    if (
      op === 'i32.and' &&
      by !== undefined &&
      isWithin(this.range(part), interval(0, by)) &&
      (by & (by + 1)) === 0
    )
      return this.note(part, range);
    return true;
  }

  #noteSum(term: Term, range: Range): boolean {
    const { parts, factors, constant } = term;
    const [low, high] = this.#rangeOfIntegers(term);
    const isExact = low >= ANY32.low && high <= ANY32.high;
    if (isExact) {
      for (let i = 0; i < parts.length; i++) {
        const factor = factors[i]!;
        const own = this.range(parts[i]!);
        const [a, b] =
          factor > 0 ? [factor * own.low, factor * own.high] : [factor * own.high, factor * own.low];
        const least = (range.low - (high - b)) / factor;
        const most = (range.high - (low - a)) / factor;
        const bounds =
          factor > 0 ? [Math.ceil(least), Math.floor(most)] : [Math.ceil(most), Math.floor(least)];
        if (bounds[0]! > bounds[1]! || !this.note(parts[i]!, interval(bounds[0]!, bounds[1]!))) return false;
      }
    } else if (parts.length === 1 && factors[0] === 1 && !range.values) {
      // The sum of the word and the constant may wrap. The word is narrowed only if its range agrees with exactly
      // one of: wrapped down, not wrapped, wrapped up.
      const own = this.range(parts[0]!);
      const shifts = [-SIZE, 0, SIZE]
        .map(by => intersection(own, interval(range.low - constant + by, range.high - constant + by)))
        .filter(each => each !== undefined);
      if (shifts.length === 0) return false;
      if (shifts.length === 1 && !this.note(parts[0]!, shifts[0]!)) return false;
    }
    if (parts.length === 1) return true;
    const sign = factors[0]! > 0 ? 1 : -1;
    const base = sum([[term, sign]], -sign * constant);
    if (!base) return true;
    let of =
      sign === 1
        ? wrapped(range.low - constant, range.high - constant, 32)
        : wrapped(constant - range.high, constant - range.low, 32);
    if (range.values && isExact)
      of = ofValues(range.values.map(each => (sign === 1 ? each - constant : constant - each)));
    const key = keyOf(base);
    const present = this.#sums.get(key);
    const met = present ? intersection(present.range, of) : of;
    if (!met) return false;
    this.#ownNotes();
    this.#sums.set(key, { term: base, range: met });
    // Earlier and new knowledge of the sum may together restrict its parts.
    return isWithin(of, met) || this.#noteSum(base, met);
  }

  /** Restricts a word by the known ranges of sums that contain it. */
  tighten(term: Term, depth = 1): void {
    if (term.op === 'sum') for (const part of term.parts) this.tighten(part, depth);
    else if (term.op !== 'constant' && term.bits === 32)
      for (const { term: base, range } of [...this.#sums.values()]) {
        if (!base.parts.includes(term)) continue;
        if (depth > 0) for (const part of base.parts) if (part !== term) this.tighten(part, depth - 1);
        this.#noteSum(base, range);
      }
  }

  /** Adds the knowledge that a condition is true or false; returns false if that is impossible. */
  learn(condition: Term, holds: boolean): boolean {
    if (!this.#learnOne(condition, holds)) return false;
    if (holds && condition.op === 'either') this.#choices = [...this.#choices, condition];
    for (const choice of this.#choices) {
      const [one, other] = choice.parts as [Term, Term];
      const { low, high } = this.range(one);
      if (low !== 0 || high !== 0) continue;
      this.#choices = this.#choices.filter(each => each !== choice);
      return this.learn(other, true);
    }
    return true;
  }

  #learnOne(condition: Term, holds: boolean): boolean {
    const { op, parts } = condition;
    const [a, b] = parts as [Term, Term];
    const [, name] = op.split('.');
    switch (name) {
      case 'eqz':
        return this.learn(a, !holds);
      case 'eq':
        return holds ? this.#learnEqual(a, b) : this.#learnOther(a, b);
      case 'ne':
        return holds ? this.#learnOther(a, b) : this.#learnEqual(a, b);
      case 'lt_s':
        return holds ? this.#learnLess(a, b, 1) : this.#learnLess(b, a, 0);
      case 'gt_s':
        return holds ? this.#learnLess(b, a, 1) : this.#learnLess(a, b, 0);
      case 'le_s':
        return holds ? this.#learnLess(a, b, 0) : this.#learnLess(b, a, 1);
      case 'ge_s':
        return holds ? this.#learnLess(b, a, 0) : this.#learnLess(a, b, 1);
      case 'lt_u':
        return holds ? this.#learnBelow(a, b, 1) : this.#learnBelow(b, a, 0);
      case 'gt_u':
        return holds ? this.#learnBelow(b, a, 1) : this.#learnBelow(a, b, 0);
      case 'le_u':
        return holds ? this.#learnBelow(a, b, 0) : this.#learnBelow(b, a, 1);
      case 'ge_u':
        return holds ? this.#learnBelow(b, a, 0) : this.#learnBelow(a, b, 1);
      case 'and':
        if (holds && isTruth(a) && isTruth(b)) return this.learn(a, true) && this.learn(b, true);
        break;
      case 'or':
        if (!holds) return this.learn(a, false) && this.learn(b, false);
        break;
    }
    if (op === 'both' && !holds) return this.#learnNotBoth(condition);
    if (op === 'both' && holds) return this.learn(a, true) && this.learn(b, true);
    if (op === 'either' && !holds) return this.learn(a, false) && this.learn(b, false);
    if (!holds) return this.note(condition, interval(0, 0));
    return this.#without(condition, 0);
  }

  /**
   * Learns that one of two conditions is false: keeps the knowledge that both possibilities have in common.
   */
  #learnNotBoth(condition: Term): boolean {
    const [a, b] = condition.parts as [Term, Term];
    const [one, other] = [this.copy(), this.copy()];
    const isOne = one.learn(a, false);
    const isOther = other.learn(a, true) && other.learn(b, false);
    if (!isOne || !isOther)
      return isOne ? this.learn(a, false) : isOther && this.learn(a, true) && this.learn(b, false);
    for (const word of a.parts) if (!this.note(word, union(one.range(word), other.range(word)))) return false;
    return this.note(condition, interval(0, 0));
  }

  #without(term: Term, value: number): boolean {
    const { low, high, values } = this.range(term);
    if (low === value && high === value) return false;
    if (values) return this.note(term, ofValues(values.filter(each => each !== value)));
    if (low === value) return this.note(term, interval(low + 1, high));
    if (high === value) return this.note(term, interval(low, high - 1));
    const others = low < value && value < high ? valuesOf({ low, high }) : undefined;
    return !others || this.note(term, ofValues(others.filter(each => each !== value)));
  }

  #learnEqual(a: Term, b: Term): boolean {
    const range = intersection(this.range(a), this.range(b));
    if (!range || !this.note(a, range) || !this.note(b, range)) return false;
    if (a.bits === 64) return true;
    const difference = this.difference(a, b);
    return !difference || this.note(difference, interval(0, 0));
  }

  #learnOther(a: Term, b: Term): boolean {
    const [x, y] = [this.range(a), this.range(b)];
    if (y.low === y.high && !this.#without(a, y.low)) return false;
    if (x.low === x.high && !this.#without(b, x.low)) return false;
    if (a.bits === 64) return true;
    const difference = this.difference(a, b);
    return !difference || this.#without(difference, 0);
  }

  /** Learns that a + by <= b, as signed numbers. */
  #learnLess(a: Term, b: Term, by: number): boolean {
    const [x, y] = [this.range(a), this.range(b)];
    if (x.low + by > y.high) return false;
    if (x.high !== Number.POSITIVE_INFINITY || y.high !== Number.POSITIVE_INFINITY) {
      if (!this.note(a, interval(x.low, y.high - by)) || !this.note(b, interval(x.low + by, y.high)))
        return false;
    }
    if (a.bits === 64 || x.low - y.high < ANY32.low || x.high - y.low > ANY32.high) return true;
    const difference = this.difference(a, b);
    return !difference || this.note(difference, interval(ANY32.low, -by));
  }

  /** Learns that a + by <= b, as unsigned numbers. */
  #learnBelow(a: Term, b: Term, by: number): boolean {
    const [x, y] = [this.range(a), this.range(b)];
    // As unsigned numbers, negative ones are greater than all others.
    if (y.low >= 0) return this.note(a, interval(0, anyOf(a.bits).high)) && this.#learnLess(a, b, by);
    if (x.low >= 0 || x.high >= 0) return true;
    return this.note(b, interval(anyOf(b.bits).low, -1)) && this.#learnLess(a, b, by);
  }

  /** Returns the range of `lesser` minus `greater` in a relation; undefined if it is unknown. */
  slack({ lesser, greater }: Relation): Range | undefined {
    const [a, b] = [this.cells[lesser], this.cells[greater]];
    if (!a || !b) return undefined;
    const [x, y] = [this.range(a), this.range(b)];
    if (x.high - y.low > ANY32.high || x.low - y.high < ANY32.low) return undefined;
    const difference = this.difference(a, b);
    return difference && this.range(difference);
  }

  relate({ lesser, greater }: Relation, range: Range): void {
    const difference = this.difference(this.cells[lesser]!, this.cells[greater]!);
    if (difference) this.note(difference, range);
  }

  #joinNotes(first: State, others: readonly State[]): void {
    for (const [term, range] of first.#notes) {
      let all: Range | undefined = range;
      for (const other of others) {
        const noted = other.#notes.get(term);
        all = noted && all && union(all, noted);
      }
      if (all) this.#notes.set(term, all);
    }
    for (const [key, { term, range }] of first.#sums) {
      let all = range;
      const isKnown = others.every(other => {
        const noted = other.#sums.get(key);
        if (noted) all = union(all, noted.range);
        return noted;
      });
      if (isKnown) this.#sums.set(key, { term, range: all });
    }
  }

  /** Returns a state with the knowledge that all these states have in common. */
  static join(states: readonly State[], relations: readonly Relation[]): State {
    const [first, ...others] = states as [State, ...State[]];
    if (others.length === 0) return first;
    const joined = new State();
    /** Words that equal another word plus a number within a range. */
    const moved: [word: Term, base: Term, more: Range][] = [];
    const slots = (pick: (state: State) => Term[]): Term[] =>
      pick(first).map((term, i) => {
        if (others.every(state => pick(state)[i] === term)) return term;
        const range = others.reduce(
          (all, state) => union(all, state.range(pick(state)[i]!)),
          first.range(term),
        );
        const both = symbol(term.bits, range);
        const [base, ...more] = states.map(state => baseOf(pick(state)[i]!));
        if (both.op === 'symbol' && base && more.every(each => each?.key === base.key)) {
          const added = [base, ...more].map(each => each!.constant);
          moved.push([both, base.of, interval(Math.min(...added), Math.max(...added))]);
        }
        return both;
      });
    joined.locals = slots(({ locals }) => locals);
    joined.stack = slots(({ stack }) => stack);
    joined.globals = slots(({ globals }) => globals);
    joined.outer = first.outer;
    if (others.every(each => each.#choices === first.#choices)) joined.#choices = first.#choices;
    joined.cells = first.cells;
    if (others.every(({ cells }) => cells === first.cells))
      joined.#loads = new Map(
        [...first.#loads].filter(([key, term]) => others.every(each => each.#loads.get(key) === term)),
      );
    first.#ownsCells = false;
    if (!others.every(({ cells }) => cells === first.cells)) joinCells(joined, states);
    if (others.every(each => each.#notes === first.#notes)) {
      [joined.#notes, joined.#sums] = [first.#notes, first.#sums];
      [first.#ownsNotes, joined.#ownsNotes] = [false, false];
    } else joined.#joinNotes(first, others);
    for (const [word, base, more] of moved) {
      const difference = joined.difference(word, base);
      if (difference) joined.note(difference, more);
    }
    for (const relation of relations) {
      const slacks = states.map(state => state.slack(relation));
      if (slacks.some(each => !each)) continue;
      const { low, high } = slacks.reduce((a, b) => union(a!, b!))!;
      joined.relate(relation, interval(low, high));
    }
    return joined;
  }
}

/** Returns a word without its added constant, unless it is a constant. */
function baseOf(term: Term): { key: string; of: Term; constant: number } | undefined {
  if (term.bits === 64 || term.op === 'constant') return undefined;
  if (term.op !== 'sum') return { key: `1*${term.id}`, of: term, constant: 0 };
  const of = sum([[term, 1]], -term.constant);
  return of && { key: keyOf(term), of, constant: term.constant };
}

function keyOf({ parts, factors }: Term): string {
  return parts.map(({ id }, i) => `${factors[i]}*${id}`).join();
}

/**
 * Sets the cells of a joined state. A cell that is missing in some states is unknown, because it was found
 * later.
 */
function joinCells(joined: State, states: readonly State[]): void {
  const [first, ...others] = states as [State, ...State[]];
  const known = Math.min(...states.map(({ cells }) => cells.length));
  for (let i = 0; i < first.cells.length; i++) {
    const term = first.cells[i];
    if (i < known && others.every(({ cells }) => cells[i] === term)) continue;
    const terms = states.map(({ cells }) => cells[i]);
    if (terms.includes(undefined)) {
      if (term) joined.setCell(i, symbol(term.bits));
      continue;
    }
    joined.setCell(i, symbol(term!.bits, states.map((state, j) => state.range(terms[j]!)).reduce(union)));
  }
}

/** Returns whether a word is 0 or 1. */
export function isTruth(term: Term): boolean {
  return term.range.low >= 0 && term.range.high <= 1 && term.op !== 'sum';
}
