// Follows the module's code on ranges of words, through both outcomes of each branch. Where paths come
// together, keeps the knowledge that they have in common.
import { MAX_LINKED, MAX_TRANSACTION } from '@zbc-signer/protocol/limits';
import type { Instruction, WasmModule } from '../wasm/module.js';
import { Findings } from './findings.js';
import { type Body, type Label, runLoop } from './loop.js';
import type { Memory } from './state/memory.js';
import { divisionFault, rangeOf } from './state/numeric.js';
import { anyOf, interval, isWithin, type Range, union } from './state/range.js';
import { isTruth, type Relation, State } from './state/state.js';
import { constant, makeTerm, sum, symbol, type Term } from './state/term.js';

export interface Returned {
  state: State;
  results: Term[];
}

/** Replaces a call. The result is undefined if the replaced call never returns. */
export type Contract = (analysis: Analysis, parameters: Term[], state: State) => Returned | undefined;

interface Summary {
  findings: Findings;
  results: { bits: 32 | 64; range: Range }[];
  returns: boolean;
  /**
   * Cells (words in memory, see state/memory.ts) that the function reads, with their ranges in the analysis.
   */
  reads: ReadonlyMap<number, Range>;
  /** Relations that were assumed in the analysis. */
  orders: readonly Relation[];
}

/** Functions that are followed at each call, because their results depend on their parameters. */
const FOLLOWED = /\/nextPage$/;
const UNARY = /eqz$|wrap|extend|clz|ctz|popcnt/;

export class Analysis {
  readonly module: WasmModule;
  readonly memory: Memory;
  readonly contracts: ReadonlyMap<number, Contract>;
  relations: readonly Relation[] = [];
  /** Summaries of functions that write no cells and globals. */
  summaries = new Map<string, Summary>();
  readonly #impure = new Set<number>();
  /** Numbers at which a growing range may stop. */
  readonly thresholds: readonly number[];
  readonly #local = new Map<readonly Instruction[], readonly number[]>();
  /** Number of loops that are being followed. */
  depth = 0;

  constructor(module: WasmModule, memory: Memory, contracts: ReadonlyMap<number, Contract>) {
    [this.module, this.memory, this.contracts] = [module, memory, contracts];
    module.functions.forEach(({ name }, index) => {
      if (FOLLOWED.test(name)) this.#impure.add(index);
    });
    const shared = module.functions.flatMap(({ code }) => comparedWith(code, true));
    this.thresholds = ascending([
      1,
      3,
      ...shared,
      21,
      255,
      MAX_TRANSACTION,
      MAX_LINKED,
      MAX_TRANSACTION + MAX_LINKED,
      65535,
    ]);
  }

  /** Returns these thresholds and the constants of one function. */
  thresholdsIn(code: readonly Instruction[]): readonly number[] {
    let found = this.#local.get(code);
    if (!found) {
      found = ascending([...this.thresholds, ...comparedWith(code, false)]);
      this.#local.set(code, found);
    }
    return found;
  }

  get findings(): Findings {
    return this.memory.findings;
  }

  join(states: readonly State[]): State | undefined {
    return states.length === 0 ? undefined : State.join(states, this.relations);
  }

  /** Follows a function; returns undefined if it never returns. Consumes the given state. */
  call(index: number, parameters: Term[], state: State): Returned | undefined {
    const contract = this.contracts.get(index);
    if (contract) return contract(this, parameters, state);
    if (this.#impure.has(index)) return this.follow(index, parameters, state);
    const given = [...parameters, ...state.globals];
    for (const each of parameters) state.tighten(each);
    const ranges = given.map(each => state.range(each));
    const key = `${index} ${ranges.map(({ low, high, values }) => values?.join('.') ?? `${low}_${high}`)}`;
    let summary = this.summaries.get(key);
    if (!summary || !this.#covers(summary, state)) {
      const made = this.#summarise(index, given, ranges, state, summary?.reads);
      if (!made) {
        this.#impure.add(index);
        return this.follow(index, parameters, state);
      }
      summary = made;
      this.summaries.set(key, summary);
    }
    for (const each of summary.reads.keys()) this.memory.reads.add(each);
    this.findings.add(summary.findings);
    if (!summary.returns) return undefined;
    return { state, results: summary.results.map(({ bits, range }) => symbol(bits, range)) };
  }

  /** Returns whether the summary covers the current ranges of the cells that it reads. */
  #covers({ reads, orders }: Summary, state: State): boolean {
    for (const [cell, range] of reads) {
      const term = state.cells[cell];
      if (!term || !isWithin(state.range(term), range)) return false;
    }
    return orders.every(relation => isKept(state, relation));
  }

  /** Follows a function on the ranges of a call; returns undefined if it writes to cells or globals. */
  #summarise(
    index: number,
    given: readonly Term[],
    ranges: readonly Range[],
    state: State,
    before: ReadonlyMap<number, Range> | undefined,
  ): Summary | undefined {
    const { memory } = this;
    const [outerFindings, outerReads, { writes }] = [memory.findings, memory.reads, memory];
    memory.findings = new Findings();
    memory.reads = new Set();
    const bare = new State();
    const found = state.cells.map((term, i) => {
      if (!term) return undefined;
      const [now, then] = [state.range(term), before?.get(i)];
      return then ? union(now, then) : now;
    });
    bare.cells = found.map((range, i) => range && symbol(state.cells[i]!.bits, range));
    const orders = this.relations.filter(relation => isKept(state, relation));
    for (const each of orders) bare.relate(each, interval(anyOf(32).low, each.plus));
    const fresh = given.map((each, i) => symbol(each.bits, ranges[i]));
    const count = this.module.functions[index]!.parameters;
    bare.globals = fresh.slice(count);
    const after = this.follow(index, fresh.slice(0, count), bare);
    const { findings, reads } = memory;
    [memory.findings, memory.reads] = [outerFindings, outerReads];
    if (memory.writes !== writes) return undefined;
    const results = after?.results.map(each => ({ bits: each.bits, range: after.state.range(each) })) ?? [];
    const known = new Map([...reads].flatMap(cell => (found[cell] ? [[cell, found[cell]] as const] : [])));
    return { findings, results, returns: after !== undefined, reads: known, orders };
  }

  /** Follows a function's code, even if calls of it are replaced. */
  follow(index: number, parameters: Term[], state: State): Returned | undefined {
    const { name, code, locals, results } = this.module.functions[index]!;
    const [callerLocals, callerStack, place] = [state.locals, state.stack, this.memory.place];
    const types = this.module.functions[index]!.localBits;
    state.locals = [...parameters, ...Array.from({ length: locals }, (_, i) => constant(0, types[i]!))];
    state.stack = [];
    state.outer = { locals: callerLocals, stack: callerStack, outer: state.outer };
    const label: Label = { isLoop: false, arity: results, height: 0, arrived: [] };
    this.arrive(this.run({ name, code }, 0, code.length - 1, state, [label]), label);
    const after = this.join(label.arrived);
    this.memory.place = place;
    if (!after) return undefined;
    const given = after.stack.slice(after.stack.length - results);
    after.locals = callerLocals;
    after.stack = callerStack;
    after.outer = after.outer?.outer;
    return { state: after, results: given };
  }

  /** Passes a state to a label's target. */
  arrive(state: State | undefined, label: Label): void {
    if (!state) return;
    const kept = label.isLoop ? 0 : label.arity;
    const values = state.stack.slice(state.stack.length - kept);
    state.stack = [...state.stack.slice(0, label.height), ...values];
    label.arrived.push(state);
  }

  /** Runs the instructions from `from` to before `to`; returns the state after them, if any. */
  run(body: Body, from: number, to: number, start: State, labels: Label[]): State | undefined {
    const { name, code } = body;
    let state: State | undefined = start;
    let at = from;
    while (at < to && state) {
      const each: Instruction = code[at]!;
      this.memory.place = `${name}:${at}`;
      switch (each.op) {
        case 'block':
        case 'if':
        case 'loop':
          state =
            each.op === 'loop'
              ? runLoop(this, body, at, state, labels)
              : this.#runBlock(body, at, state, labels);
          at = each.end + 1;
          break;
        case 'br':
          this.arrive(state, labels.at(-1 - each.index)!);
          state = undefined;
          break;
        case 'br_if':
          state = this.#branchIf(state, state.stack.pop()!, labels.at(-1 - each.index)!);
          at++;
          break;
        case 'br_table':
          this.#branchByTable(state, each.labels, labels);
          state = undefined;
          break;
        case 'return':
          this.arrive(state, labels[0]!);
          state = undefined;
          break;
        case 'unreachable':
          this.findings.checks.add(this.memory.place);
          state = undefined;
          break;
        case 'call': {
          const { parameters } = this.module.functions[each.index]!;
          const given = parameters === 0 ? [] : state.stack.splice(-parameters);
          const after = this.call(each.index, given, state);
          state = after?.state;
          if (after) after.state.stack.push(...after.results);
          at++;
          break;
        }
        default:
          state = this.#step(each, state) ? state : undefined;
          at++;
      }
    }
    return state;
  }

  #branchIf(state: State, condition: Term, label: Label): State | undefined {
    const range = state.range(condition);
    const isTaken = range.low > 0 || range.high < 0;
    const isNot = range.low === 0 && range.high === 0;
    if (isNot) return state;
    if (isTaken) {
      this.arrive(state, label);
      return undefined;
    }
    const leaving = state.copy();
    if (leaving.learn(condition, true)) this.arrive(leaving, label);
    return state.learn(condition, false) ? state : undefined;
  }

  #branchByTable(state: State, targets: number[], labels: Label[]): void {
    const index = state.stack.pop()!;
    targets.forEach((depth, i) => {
      const leaving = state.copy();
      const number = constant(i, 32);
      const isTaken =
        i === targets.length - 1
          ? leaving.learn(makeTerm('i32.ge_u', 32, [index, number], interval(0, 1)), true)
          : leaving.learn(makeTerm('i32.eq', 32, [index, number], interval(0, 1)), true);
      if (isTaken) this.arrive(leaving, labels.at(-1 - depth)!);
    });
  }

  #runBlock(body: Body, at: number, start: State, labels: Label[]): State | undefined {
    const each = body.code[at]!;
    const condition = each.op === 'if' ? start.stack.pop()! : undefined;
    const label: Label = { isLoop: false, arity: each.arity, height: start.stack.length, arrived: [] };
    const inner = [...labels, label];
    if (!condition) {
      this.arrive(this.run(body, at + 1, each.end, start, inner), label);
      return this.join(label.arrived);
    }
    const other = start.copy();
    const { otherwise, end } = each;
    if (start.learn(condition, true))
      this.arrive(this.run(body, at + 1, otherwise < 0 ? end : otherwise, start, inner), label);
    const isFirst = label.arrived.length === 1;
    if (other.learn(condition, false))
      this.arrive(otherwise < 0 ? other : this.run(body, otherwise + 1, end, other, inner), label);
    const value =
      each.arity === 1 && isFirst && label.arrived.length === 2
        ? chosen(condition, label.arrived)
        : undefined;
    const joined = this.join(label.arrived);
    if (joined && value && label.arrived.length === 2) joined.stack[joined.stack.length - 1] = value;
    return joined;
  }

  /** Executes an instruction that does not change the control flow; returns false if it always traps. */
  #step(each: Instruction, state: State): boolean {
    const { memory } = this;
    const { op } = each;
    const { stack, locals } = state;
    switch (op) {
      case 'local.get':
        stack.push(locals[each.index]!);
        return true;
      case 'local.set':
        locals[each.index] = stack.pop()!;
        return true;
      case 'local.tee':
        locals[each.index] = stack.at(-1)!;
        return true;
      case 'global.get':
        stack.push(state.globals[each.index]!);
        return true;
      case 'global.set':
        memory.writes++;
        state.globals[each.index] = stack.pop()!;
        return true;
      case 'i32.const':
        stack.push(constant(Number(each.value), 32));
        return true;
      case 'i64.const': {
        const value = Number(each.value);
        stack.push(Number.isSafeInteger(value) ? constant(value, 64) : symbol(64));
        return true;
      }
      case 'nop':
        return true;
      case 'drop':
        stack.pop();
        return true;
      case 'select': {
        const [whole, other, condition] = stack.splice(-3) as [Term, Term, Term];
        stack.push(this.#select(state, whole, other, condition));
        return true;
      }
      case 'memory.fill': {
        const [to, value, length] = stack.splice(-3) as [Term, Term, Term];
        return memory.fill(state, to, value, length);
      }
      case 'memory.copy': {
        const [to, from, length] = stack.splice(-3) as [Term, Term, Term];
        const { place } = memory;
        memory.place = `${place.replace(':', ':from ')}`;
        const isRead = memory.reach(state, from, 0, length, false) !== undefined;
        memory.place = place;
        return isRead && memory.fill(state, to, undefined, length);
      }
    }
    if (op.includes('.load')) {
      const loaded = memory.load(state, op, stack.pop()!, each.offset);
      if (loaded) stack.push(loaded);
      return loaded !== undefined;
    }
    if (op.includes('.store')) {
      const value = stack.pop()!;
      return memory.store(state, op, stack.pop()!, each.offset, value);
    }
    if (!/^i(32|64)\./.test(op)) throw new Error(`${op} is not supported`);
    const operands = UNARY.test(op) ? [stack.pop()!] : stack.splice(-2);
    stack.push(this.#apply(state, op, operands));
    return true;
  }

  #apply(state: State, op: string, operands: readonly Term[]): Term {
    const [a, b] = operands as [Term, Term];
    const summed = op.startsWith('i32') && b ? linear(op, a, b) : undefined;
    if (summed) return summed;
    const x = state.range(a);
    if (!b) return makeTerm(op, resultBits(op), operands, rangeOf(op, [x]));
    const y = state.range(b);
    if (/\.(div|rem)_/.test(op) && b.op !== 'constant') this.#requireDivision(op, x, y);
    else if (/\.(div|rem)_/.test(op)) {
      const fault = divisionFault(op, x, y);
      if (fault) this.#requireDivision(op, x, y);
    }
    const range = rangeOf(op, [x, y]);
    return isSame(op, a, b, range) ?? makeTerm(op, resultBits(op), operands, range);
  }

  #requireDivision(op: string, a: Range, b: Range): void {
    const { place } = this.memory;
    this.findings.met.add(place);
    const fault = divisionFault(op, a, b);
    if (fault) this.findings.open.set(place, fault);
  }

  #select(state: State, whole: Term, other: Term, condition: Term): Term {
    const decided = state.range(condition);
    if (decided.low > 0 || decided.high < 0) return whole;
    if (decided.high === 0 && decided.low === 0) return other;
    const { bits } = whole;
    const [x, y] = [state.copy(), state.copy()];
    if (!x.learn(condition, true)) return other;
    if (!y.learn(condition, false)) return whole;
    const term = makeTerm('select', bits, [whole, other, condition], union(x.range(whole), y.range(other)));
    if (bits === 64 || term.op === 'constant') return term;
    const zero = interval(0, 0);
    for (const [from, to, chosenState, kept] of [
      [whole, other, y, whole],
      [other, whole, x, other],
    ] as const) {
      const change = chosenState.difference(to, from);
      const difference = state.difference(term, kept);
      if (change && difference && term.op === 'select')
        state.note(difference, union(zero, chosenState.range(change)));
    }
    return term;
  }
}

function isKept(state: State, relation: Relation): boolean {
  const slack = state.slack(relation);
  return slack !== undefined && slack.high <= relation.plus;
}

const EQUALITY = /^i32\.(eq|ne)$/;

/**
 * Returns the numbers with which words are compared for equality, and their predecessors. With `isShared`,
 * only globals and words in memory count.
 */
function comparedWith(code: readonly Instruction[], isShared: boolean): number[] {
  return code.flatMap(({ op, value }, at) => {
    const isCompared =
      op === 'i32.const' && EQUALITY.test(code[at + 1]?.op ?? '') && value >= 16n && value < 5000n;
    const from = code[at - 1]?.op ?? '';
    return isCompared && (!isShared || /^(global\.get|i32\.load)$/.test(from))
      ? [Number(value) - 1, Number(value)]
      : [];
  });
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/**
 * Returns the result of an instruction whose result is a sum of its operands; undefined for other
 * instructions.
 */
function linear(op: string, a: Term, b: Term): Term | undefined {
  const [x, y] = [a.op === 'constant' ? a.constant : undefined, b.op === 'constant' ? b.constant : undefined];
  switch (op) {
    case 'i32.add':
      return sum([
        [a, 1],
        [b, 1],
      ]);
    case 'i32.sub':
      return sum([
        [a, 1],
        [b, -1],
      ]);
    case 'i32.mul':
      if (y !== undefined) return sum([[a, y]]);
      return x !== undefined ? sum([[b, x]]) : undefined;
    case 'i32.shl':
      return y !== undefined && y >= 0 && y < 16 ? sum([[a, 2 ** y]]) : undefined;
  }
  return undefined;
}

/** Returns the operand that equals the instruction's result. */
function isSame(op: string, a: Term, b: Term, range: Range): Term | undefined {
  if (op === 'i32.and' && b.op === 'constant' && (b.constant & (b.constant + 1)) === 0 && b.constant > 0)
    return a.op !== 'sum' && a.range.low >= 0 && a.range.high <= b.constant ? a : undefined;
  return (op === 'i32.or' || op === 'i32.xor') && b.op === 'constant' && b.constant === 0 && range
    ? a
    : undefined;
}

function resultBits(op: string): 32 | 64 {
  if (/\.(eqz?|ne|[lg][te]_[su])$/.test(op) || op === 'i32.wrap_i64') return 32;
  return op.startsWith('i64') ? 64 : 32;
}

/**
 * Returns the result of a block that combines two conditions, as a condition that both or either of them
 * hold.
 */
function chosen(condition: Term, arrived: readonly State[]): Term | undefined {
  const [whole, other] = arrived.map(({ stack }) => stack.at(-1)!) as [Term, Term];
  const range = interval(0, 1);
  if (other.op === 'constant' && other.constant === 0 && (isTruth(whole) || whole.op === 'constant'))
    return whole.op === 'constant' ? undefined : makeTerm('both', 32, [condition, whole], range);
  if (whole.op === 'constant' && whole.constant === 1)
    return makeTerm('either', 32, [condition, other], union(interval(1, 1), arrived[1]!.range(other)));
  return undefined;
}
