// Follows loops pass by pass if they end soon. Otherwise finds ranges that hold at the beginning of every
// pass.

import type { Instruction } from '../wasm/module.js';
import { Findings } from './findings.js';
import { anyOf, intersection, interval, isWithin, type Range, union } from './state/range.js';
import type { State } from './state/state.js';
import { constant, sum, symbol, type Term } from './state/term.js';

// A pass decides the end of its loop if the ranges show whether another pass follows. These numbers limit how
// many passes are followed one by one. ALONE means an outermost loop without inner loops and calls, and OUTER
// a loop with them.
const UNDECIDED = 1;
const UNDECIDED_ALONE = 12;
const DECIDED = 6000;
const DECIDED_OUTER = 4;
const MOST = 48;
const GROWTHS = 14;
const NARROWINGS = 2;
const COUNTED = 100_000;

export interface Label {
  isLoop: boolean;
  arity: number;
  height: number;
  /** States that jump to it: after a block's end, or to the beginning of a loop. */
  arrived: State[];
}

export interface Body {
  name: string;
  code: Instruction[];
}

/** The analysis of a loop's code. */
export interface LoopAnalysis {
  /** Number of loops that are being followed. */
  depth: number;
  readonly findings: Findings;
  readonly memory: { findings: Findings };
  run(body: Body, from: number, to: number, start: State, labels: Label[]): State | undefined;
  join(states: readonly State[]): State | undefined;
  thresholdsIn(code: readonly Instruction[]): readonly number[];
}

type Kind = 'locals' | 'globals' | 'cells';

interface Slot {
  kind: Kind;
  index: number;
  /** The word at the beginning of every pass. */
  head: Term;
  range: Range;
  growths: number;
}

export function runLoop(
  analysis: LoopAnalysis,
  body: Body,
  at: number,
  start: State,
  labels: Label[],
): State | undefined {
  const place = `${body.name}:${at}`;
  const marks = labels.map(({ arrived }) => arrived.length);
  const height = start.stack.length;
  const { end } = body.code[at]!;
  let left: State[] = [];
  const pass = (head: State): State[] => {
    const again: Label = { isLoop: true, arity: 0, height, arrived: [] };
    analysis.depth++;
    const out = analysis.run(body, at + 1, end, head, [...labels, again]);
    analysis.depth--;
    if (out) left.push(out);
    return again.arrived;
  };
  const leavers = () =>
    left.length + labels.reduce((all, { arrived }, i) => all + arrived.length - marks[i]!, 0);
  const forget = (): void => {
    left = [];
    labels.forEach(({ arrived }, i) => {
      arrived.length = marks[i]!;
    });
  };

  const inner = body.code.slice(at + 1, end);
  const { depth } = analysis;
  const isAlone = !inner.some(({ op }) => op === 'loop' || op === 'call');
  const original = start.copy();
  let passes = 0;
  let undecided = 0;
  let head: State | undefined = start;
  while (
    head &&
    undecided <= (isAlone && depth === 0 ? UNDECIDED_ALONE : UNDECIDED) &&
    passes < (isAlone ? DECIDED : DECIDED_OUTER)
  ) {
    const before = leavers();
    const again = pass(head);
    passes++;
    head = analysis.join(again);
    if (head && leavers() > before) undecided++;
  }
  if (!head) {
    analysis.findings.loop(place, passes);
    return analysis.join(left);
  }

  const outer = analysis.memory.findings;
  analysis.memory.findings = new Findings();
  const widening = new Widening(original, analysis.thresholdsIn(body.code));
  const bound = widening.settle(state => {
    forget();
    return pass(state);
  });
  analysis.memory.findings = outer;
  forget();
  pass(widening.head());
  analysis.findings.loop(place, bound);
  return analysis.join(left);
}

function total(a: Term, b: Term): Term | undefined {
  return sum([
    [a, 1],
    [b, 1],
  ]);
}

class Widening {
  readonly #start: State;
  readonly #thresholds: readonly number[];
  #slots = new Map<string, Slot>();
  #pairs: [number, number][] = [];

  constructor(start: State, thresholds: readonly number[]) {
    [this.#start, this.#thresholds] = [start, thresholds];
  }

  head(): State {
    const head = this.#start.copy();
    for (const slot of this.#slots.values()) {
      slot.head = symbol(slot.head.bits, slot.range);
      if (slot.kind === 'cells') head.setCell(slot.index, slot.head);
      else head[slot.kind][slot.index] = slot.head;
    }
    for (const [a, b] of this.#pairs) {
      const [now, before] = [head, this.#start].map(({ locals }) => total(locals[a]!, locals[b]!));
      if (now && before) head.note(now, this.#start.range(before));
    }
    return head;
  }

  /**
   * Finds pairs of locals whose sum is constant, because a pass moves an amount from one to the other.
   * Returns whether the pairs have changed.
   */
  #keepPairs(again: readonly State[]): boolean {
    const moved = [...this.#slots.values()].filter(({ kind, head }) => kind === 'locals' && head.bits === 32);
    const keeps = (a: number, b: number): boolean =>
      again.every(state => {
        const [one, other] = [this.#slots.get(`locals ${a}`)!, this.#slots.get(`locals ${b}`)!];
        const change = sum([
          [state.locals[a]!, 1],
          [state.locals[b]!, 1],
          [one.head, -1],
          [other.head, -1],
        ]);
        return change?.op === 'constant' && change.constant === 0;
      });
    const found = moved.flatMap(({ index: a }) =>
      moved.flatMap(({ index: b }): [number, number][] => (a < b && keeps(a, b) ? [[a, b]] : [])),
    );
    const isSame = `${found}` === `${this.#pairs}`;
    this.#pairs = found;
    return !isSame;
  }

  settle(pass: (head: State) => State[]): number {
    let again = pass(this.head());
    for (let count = 0; [this.#grow(again), this.#keepPairs(again)].includes(true); count++) {
      if (count > MOST) throw new Error('the ranges of a loop keep growing');
      again = pass(this.head());
    }
    let bound = this.#bound(again);
    // A pass begins with the loop's initial state or with the end of a pass, so the range may be narrowed.
    for (let count = 0; count < NARROWINGS && this.#narrow(again, bound); count++) {
      again = pass(this.head());
      bound = Math.min(bound, this.#bound(again));
    }
    return bound;
  }

  /** Returns the words that passes have changed: their slots, the new words and the ranges of these. */
  #changes(again: readonly State[]): [key: string, term: Term, range: Range][] {
    const found: [string, Term, Range][] = [];
    for (const kind of ['locals', 'globals', 'cells'] as const) {
      for (const state of again) {
        if (state[kind] === this.#start[kind]) continue;
        state[kind].forEach((term, index) => {
          if (!term) return;
          const key = `${kind} ${index}`;
          const before = this.#slots.get(key)?.head ?? this.#start[kind][index];
          if (term !== before) found.push([key, term, state.range(term)]);
        });
      }
    }
    return found;
  }

  #grow(again: readonly State[]): boolean {
    let grows = false;
    for (const [key, term, range] of this.#changes(again)) {
      const slot = this.#slots.get(key);
      if (slot && isWithin(range, slot.range)) continue;
      grows = true;
      const [kind, index] = key.split(' ') as [Kind, string];
      const before = this.#start[kind][Number(index)];
      const growths = (slot?.growths ?? 0) + 1;
      const old = slot?.range ?? (before ? this.#start.range(before) : anyOf(term.bits));
      const bits = before && before.bits !== term.bits ? 32 : term.bits;
      const all = union(old, range);
      const any = anyOf(bits);
      const wide = interval(
        range.low < old.low ? (range.low >= 0 ? 0 : any.low) : old.low,
        range.high > old.high ? this.#next(range.high, growths, any.high) : old.high,
      );
      this.#slots.set(key, {
        kind,
        index: Number(index),
        head: slot?.head ?? constant(0, bits),
        range: growths <= 1 ? all : wide,
        growths,
      });
    }
    return grows;
  }

  /** Returns the next of the numbers at which a growing range may stop. */
  #next(high: number, growths: number, last: number): number {
    return (growths < GROWTHS ? this.#thresholds.find(each => each >= high) : undefined) ?? last;
  }

  #narrow(again: readonly State[], bound: number): boolean {
    let isNarrower = false;
    for (const [key, slot] of this.#slots) {
      const { kind, index, head } = slot;
      const before = this.#start[kind][index];
      const first = before ? this.#start.range(before) : anyOf(head.bits);
      let found = first;
      for (const state of again) found = union(found, state.range(state[kind][index] ?? head));
      const counted = this.#counted(again, slot, first, bound);
      const both = counted ? intersection(found, counted) : found;
      if (!both || isWithin(slot.range, both)) continue;
      isNarrower = true;
      this.#slots.set(key, { ...slot, range: both });
    }
    return isNarrower;
  }

  /**
   * Returns the range of a word after at most `bound` passes, if each pass adds a number with known bounds.
   */
  #counted(
    again: readonly State[],
    { kind, index, head }: Slot,
    first: Range,
    bound: number,
  ): Range | undefined {
    if (!(bound < COUNTED) || head.bits === 64) return undefined;
    let added = interval(0, 0);
    for (const state of again) {
      const change = state.difference(state[kind][index] ?? head, head);
      if (!change) return undefined;
      added = union(added, state.range(change));
    }
    const low = first.low + bound * added.low;
    const high = first.high + bound * added.high;
    const any = anyOf(32);
    return low >= any.low && high <= any.high ? interval(low, high) : undefined;
  }

  /** Maximum number of passes, from words that every pass increases, or that every pass decreases. */
  #bound(again: readonly State[]): number {
    if (again.length === 0) return 1;
    let best = Number.POSITIVE_INFINITY;
    for (const { kind, index, head, range } of this.#slots.values()) {
      if (head.bits === 64 || head.op !== 'symbol') continue;
      const moved = again.map(state => {
        const change = state.difference(state[kind][index] ?? head, head);
        if (!change) return interval(0, 0);
        const by = state.range(change);
        const from = state.range(head);
        const any = anyOf(32);
        return from.low + by.low >= any.low && from.high + by.high <= any.high ? by : interval(0, 0);
      });
      const up = Math.min(...moved.map(({ low }) => low));
      const down = Math.min(...moved.map(({ high }) => -high));
      const step = Math.max(up, down);
      if (step < 1) continue;
      // The range at the beginning of all passes except the last.
      const going = again.map(state => state.range(head)).reduce(union);
      const span = Math.min(range.high, going.high) - Math.max(range.low, going.low);
      best = Math.min(best, Math.floor(span / step) + 2);
    }
    return best;
  }
}
