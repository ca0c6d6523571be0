// What is the same at the beginning of every pass of a loop, and how many passes there are at most.
import type { Term } from '../symbolic/terms.js';
import type { Joiner, Range, State as StateType } from './state.js';
import { State } from './state.js';

const QUICK = 5;
const MOST = 60;
const NARROWINGS = 3;

/** A local, global or memory cell that passes change, and the bounds of what it holds as one begins. */
interface Variable {
  term: Term;
  range: Range;
}

type Kind = 'locals' | 'globals' | 'cells';

export class Widening {
  private readonly joiner: Joiner;
  private readonly thresholds: bigint[];
  private readonly start: StateType;
  private variables = new Map<string, Variable>();
  private readonly dropped = new Set<number>();

  constructor(joiner: Joiner, thresholds: bigint[], start: StateType) {
    [this.joiner, this.thresholds, this.start] = [joiner, thresholds, start];
  }

  /**
   * Runs passes until what they begin with no longer grows; what leaves the loop then is that of the last of
   * them. Returns how many passes there are at most, Infinity where that is not known.
   */
  run(pass: (head: State) => State[], forget: () => void): number {
    for (let count = 0; ; count++) {
      if (count > MOST) throw new Error('what a loop changes is not bounded');
      const again = this.pass(pass, forget);
      if (!this.grow(again, count)) return this.narrow(again, pass, forget);
    }
  }

  private pass(pass: (head: State) => State[], forget: () => void): State[] {
    forget();
    return pass(this.head());
  }

  private head(): State {
    const head = new State(this.start);
    for (const at of this.dropped) head.cells.delete(at);
    for (const [key, variable] of this.variables) {
      variable.term = this.joiner.fresh(variable.term.bits, variable.range);
      const [kind, index] = key.split(' ') as [Kind, string];
      if (kind === 'cells')
        head.cells.set(Number(index), { ...head.cells.get(Number(index))!, term: variable.term });
      else head[kind][Number(index)] = variable.term;
    }
    return head;
  }

  /** Whether some pass ends with more than it was taken to begin with. */
  private grow(again: State[], count: number): boolean {
    let grows = false;
    for (const [key, before] of this.slots()) {
      for (const state of again) {
        const after = this.valueIn(state, key);
        if (!after) {
          this.dropped.add(Number(key.split(' ')[1]));
          this.variables.delete(key);
          grows = true;
          break;
        }
        const variable = this.variables.get(key);
        if (after === (variable?.term ?? before)) continue;
        const bits = before.bits < after.bits ? before.bits : after.bits;
        const [low, high] = state.range(after);
        if (variable && low >= variable.range[0] && high <= variable.range[1]) continue;
        const old = variable?.range ?? this.start.range(before);
        this.variables.set(key, {
          term: this.joiner.fresh(bits),
          range: this.widened(old, [low, high], bits, count),
        });
        grows = true;
      }
    }
    return grows;
  }

  private widened(old: Range, [low, high]: Range, bits: number, count: number): Range {
    const last = (1n << BigInt(bits)) - 1n;
    if (count > QUICK) return [0n, last];
    const half = last >> 1n;
    if (count > 1 && high <= half) return [low >= old[0] ? old[0] : 0n, half];
    const from = low >= old[0] ? old[0] : count === 0 ? low : 0n;
    const to =
      high <= old[1] ? old[1] : count === 0 ? high : (this.thresholds.find(each => each >= high) ?? last);
    return [from, to > last ? last : to];
  }

  private narrow(again: State[], pass: (head: State) => State[], forget: () => void): number {
    let bound = this.bound(again);
    for (let count = 0; count < NARROWINGS; count++) {
      const before = new Map([...this.variables].map(([key, variable]) => [key, { ...variable }]));
      let narrower = false;
      for (const [key, variable] of this.variables) {
        let [low, high] = this.start.range(this.slots().get(key)!);
        for (const state of again) {
          const [a, b] = state.range(this.valueIn(state, key)!);
          [low, high] = [a < low ? a : low, b > high ? b : high];
        }
        if (low <= variable.range[0] && high >= variable.range[1]) continue;
        narrower = true;
        variable.range = [low, high];
      }
      if (!narrower) return bound;
      const next = this.pass(pass, forget);
      if (this.grow(next, 0)) {
        this.variables = before;
        this.pass(pass, forget);
        return bound;
      }
      again = next;
      bound = Math.min(bound, this.bound(again));
    }
    return bound;
  }

  /** From a variable that every pass moves the same way, within its bounds. */
  private bound(again: State[]): number {
    let best = Number.POSITIVE_INFINITY;
    for (const [key, { term, range }] of this.variables) {
      const steps = again.map(state => this.step(state, term, this.valueIn(state, key)!));
      const moves = steps.every(step => step > 0n) || steps.every(step => step < 0n);
      if (!moves) continue;
      const least = steps.map(step => (step < 0n ? -step : step)).reduce((a, b) => (a < b ? a : b));
      best = Math.min(best, Number((range[1] - range[0]) / least) + 1);
    }
    return best;
  }

  /** By how much a pass moves a variable, without wrapping; 0 where that is not known. */
  private step(state: State, before: Term, after: Term): bigint {
    const isSum = after.op === 'sum' && after.parts.length === 1 && after.parts[0] === before;
    if (!isSum || after.factors[0] !== 1n) return 0n;
    const [low, high] = state.range(before);
    const by = after.constant;
    return low + by >= 0n && high + by < 1n << BigInt(before.bits) ? by : 0n;
  }

  private slots(): Map<string, Term> {
    const { locals, globals, cells } = this.start;
    const slots = new Map<string, Term>();
    for (const [i, term] of locals.entries()) slots.set(`locals ${i}`, term);
    for (const [i, term] of globals.entries()) slots.set(`globals ${i}`, term);
    for (const [at, { term }] of cells) if (!this.dropped.has(at)) slots.set(`cells ${at}`, term);
    return slots;
  }

  private valueIn(state: State, key: string): Term | undefined {
    const [kind, index] = key.split(' ') as [Kind, string];
    if (kind !== 'cells') return state[kind][Number(index)];
    const cell = state.cells.get(Number(index));
    return cell?.bytes === this.start.cells.get(Number(index))!.bytes ? cell.term : undefined;
  }
}
