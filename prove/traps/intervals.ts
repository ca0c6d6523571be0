// Runs the module's functions on intervals, both ways of a branch at once, and joins what is known where ways
// meet: whether an access can be out of bounds, a divisor 0 or a loop endless, whatever comes in.
import type { Term } from '../symbolic/terms.js';
import { isCondition, known, Terms } from '../symbolic/terms.js';
import type { Instruction, WasmModule } from '../wasm/module.js';
import { Joiner, type Range, State } from './state.js';
import { Widening } from './widening.js';

const MEMORY = 65536n;
/** Passes of a loop that are followed one by one while nothing decides whether it ends, and while it does. */
const UNDECIDED_PASSES = 3;
const DECIDED_PASSES = 5000;
/** Terms of more parts than this are taken for any value within their bounds. */
const MOST_PARTS = 6;

const SIZES: Record<string, number> = {
  load: 0,
  load8_u: 1,
  load8_s: 1,
  load16_u: 2,
  load16_s: 2,
  load32_u: 4,
  load32_s: 4,
  store: 0,
  store8: 1,
  store16: 2,
  store32: 4,
};

interface Label {
  isLoop: boolean;
  arity: number;
  height: number;
  /** States that leave for it: behind a block's end, or to the beginning of a loop. */
  arrived: State[];
}

interface Body {
  name: string;
  code: Instruction[];
}

/** Functions that work on fixed memory whose contents decide no address. */
const PURE = /^(crypto|handlers\/key)\//;

/** An instruction that may trap, by function and position. */
export type Place = string;

export interface Findings {
  /** Accesses, divisions and stores that were met, and those that could not be shown to be safe. */
  met: Set<Place>;
  unsafe: Map<Place, string>;
  /** Passes of each loop at most; Infinity where none was found. */
  loops: Map<Place, number>;
  /** Instructions `unreachable` that may be reached. */
  checks: Set<Place>;
  /** Largest address that is accessed, where addresses are bounded. */
  highest: bigint;
}

/** What cells at fixed addresses hold between calls of exports. */
class Cells {
  changed = false;
  private readonly ranges = new Map<string, Range>();
  private readonly widenings = new Map<string, number>();
  private readonly clobbered: Range[] = [];
  private readonly zeroed: Range[] = [];
  private readonly module: WasmModule;
  private readonly thresholds: bigint[];

  constructor(module: WasmModule, thresholds: bigint[]) {
    [this.module, this.thresholds] = [module, thresholds];
  }

  range(at: number, bytes: number): Range {
    const full: Range = [0n, (1n << BigInt(8 * bytes)) - 1n];
    if (this.clobbered.some(([low, high]) => low < at + bytes && high >= at)) return full;
    const key = `${at} ${bytes}`;
    let range = this.ranges.get(key);
    if (!range) {
      const value = this.initial(at, bytes);
      const mayBeZero = this.zeroed.some(([low, high]) => low < at + bytes && high >= at);
      range = [mayBeZero ? 0n : value, value];
      for (const [other, [low, high]] of this.ranges) {
        const [start, size] = other.split(' ').map(Number) as [number, number];
        if (start >= at + bytes || start + size <= at) continue;
        range = low === 0n && high === 0n && value === 0n ? range : full;
      }
      this.ranges.set(key, range);
    }
    return range;
  }

  /** Takes note of a store of a value at a fixed address. */
  store(at: number, bytes: number, [low, high]: Range): void {
    this.range(at, bytes);
    for (const [key, range] of this.ranges) {
      const [start, size] = key.split(' ').map(Number) as [number, number];
      if (start >= at + bytes || start + size <= at) continue;
      const full: Range = [0n, (1n << BigInt(8 * size)) - 1n];
      const isZero = high === 0n;
      const stored: Range = start === at && size === bytes ? [low, high] : isZero ? [0n, range[1]] : full;
      this.widen(key, range, stored, full);
    }
  }

  /** Takes note that anything may have been stored from `low` to `high`. */
  clobber(low: bigint, high: bigint): void {
    if (this.clobbered.some(([a, b]) => a <= low && b >= high)) return;
    this.clobbered.push([low, high]);
    this.changed = true;
  }

  /** Takes note that bytes may have been cleared. */
  zero(at: number, bytes: number): void {
    for (const [key, range] of this.ranges) {
      const [start, size] = key.split(' ').map(Number) as [number, number];
      if (start >= at + bytes || start + size <= at || range[0] === 0n) continue;
      this.ranges.set(key, [0n, range[1]]);
      this.changed = true;
    }
    this.zeroed.push([BigInt(at), BigInt(at + bytes - 1)]);
  }

  private widen(key: string, range: Range, stored: Range, full: Range): void {
    if (stored[0] >= range[0] && stored[1] <= range[1]) return;
    const count = (this.widenings.get(key) ?? 0) + 1;
    this.widenings.set(key, count);
    this.changed = true;
    const low = stored[0] < range[0] ? stored[0] : range[0];
    const high = stored[1] > range[1] ? stored[1] : range[1];
    const widened = this.thresholds.find(each => each >= high) ?? full[1];
    this.ranges.set(key, count > 4 ? full : [count > 1 ? 0n : low, count > 1 ? widened : high]);
  }

  private initial(at: number, bytes: number): bigint {
    return valueAt(this.module, at, bytes);
  }
}

function valueAt({ memory }: WasmModule, at: number, bytes: number): bigint {
  let value = 0n;
  for (let i = bytes - 1; i >= 0; i--) value = (value << 8n) | BigInt(memory[at + i] ?? 0);
  return value;
}

export class Intervals {
  readonly findings: Findings = {
    met: new Set(),
    unsafe: new Map(),
    loops: new Map(),
    checks: new Set(),
    highest: 0n,
  };
  private readonly module: WasmModule;
  private terms = new Terms();
  private joiner = new Joiner(this.terms);
  private readonly cells: Cells;
  private readonly thresholds: bigint[];
  private readonly pure = new Map<string, Range[]>();
  /** Where the function that is run for `pure` has written. */
  private written: Range[] | undefined;
  private place: Place = '';

  constructor(module: WasmModule) {
    this.module = module;
    const constants = module.functions.flatMap(({ code }) =>
      code.flatMap(({ op, value }) =>
        op === 'i32.const' && value >= 0n && value < 70000n ? [value, value + 1n] : [],
      ),
    );
    this.thresholds = [...new Set([...constants, 255n, 65535n, 2n ** 31n - 1n, 2n ** 32n - 1n])].sort(
      (a, b) => (a < b ? -1 : 1),
    );
    this.cells = new Cells(module, this.thresholds);
  }

  /** Runs all exports on any parameters until what lies in memory between them is known. */
  run(most = 12): Findings {
    let isLast = false;
    for (let pass = 0; pass < most; pass++) {
      this.cells.changed = false;
      Object.assign(this.findings, {
        met: new Set(),
        unsafe: new Map(),
        loops: new Map(),
        checks: new Set(),
        highest: 0n,
      });
      for (const index of this.module.exports.values()) {
        if (isLast) this.pure.clear();
        this.terms = new Terms();
        this.joiner = new Joiner(this.terms);
        const state = new State();
        state.globals = this.module.globals.map((_, i) =>
          this.joiner.fresh(64, this.cells.range(-8 * (i + 1), 8)),
        );
        const parameters = Array.from({ length: this.module.functions[index]!.parameters }, () =>
          this.joiner.fresh(32),
        );
        this.call(index, parameters, state);
      }
      if (!this.cells.changed && isLast) return this.findings;
      isLast = !this.cells.changed;
    }
    throw new Error('what lies in memory is not bounded');
  }

  /** Runs a function; undefined when it never returns. The state given is used up. */
  private call(
    index: number,
    parameters: Term[],
    state: State,
  ): { state: State; results: Term[] } | undefined {
    const { name, code, locals, results } = this.module.functions[index]!;
    if (code.length === 0) return this.callPlatform(name, parameters, state, results);
    if (PURE.test(name) && parameters.every(({ op }) => op === 'constant')) {
      return {
        state: this.callPure(index, parameters, state),
        results: Array.from({ length: results }, () => this.joiner.fresh(32)),
      };
    }
    return this.runFunction(name, code, locals, results, parameters, state);
  }

  private runFunction(
    name: string,
    code: Instruction[],
    locals: number,
    results: number,
    parameters: Term[],
    state: State,
  ) {
    const [callerLocals, callerStack] = [state.locals, state.stack];
    state.locals = [...parameters, ...Array.from({ length: locals }, () => this.terms.constant(0n, 64))];
    state.stack = [];
    const body: Label = { isLoop: false, arity: results, height: 0, arrived: [] };
    this.fall(this.runCode({ name, code }, 0, code.length - 1, state, [body]), body);
    const after = this.joined(body);
    if (!after) return undefined;
    const given = after.stack.slice(after.stack.length - results);
    after.locals = callerLocals;
    after.stack = callerStack;
    return { state: after, results: given };
  }

  /** Arithmetic at fixed addresses does the same to memory whatever is in it: it is run once. */
  private callPure(index: number, parameters: Term[], state: State): State {
    const key = `${index} ${parameters.map(({ constant }) => constant)}`;
    let written = this.pure.get(key);
    if (!written) {
      const { name, code, locals, results } = this.module.functions[index]!;
      const bare = new State();
      bare.globals = state.globals.map((_, i) => this.joiner.fresh(64, this.cells.range(-8 * (i + 1), 8)));
      const outer = this.written;
      this.written = written = [];
      this.runFunction(name, code, locals, results, parameters, bare);
      this.written = outer;
      this.pure.set(key, written);
    }
    for (const [low, high] of written) this.forget(state, low, high);
    state.globals = state.globals.map((_, i) => this.joiner.fresh(64, this.cells.range(-8 * (i + 1), 8)));
    return state;
  }

  /** The platform: `seed` writes 64 bytes and `settings_load` 16, the others read. */
  private callPlatform(name: string, parameters: Term[], state: State, results: number) {
    const length = name === 'hal.seed' ? 64n : name === 'hal.settings_load' ? 16n : 0n;
    if (length > 0n) this.writeBytes(state, parameters[0]!, this.terms.constant(length, 32), undefined);
    return { state, results: Array.from({ length: results }, () => this.joiner.fresh(32)) };
  }

  private joined({ arrived }: Label): State | undefined {
    return arrived.length === 0 ? undefined : this.joiner.join(arrived);
  }

  /** Lets a state that comes to the end of a label's code arrive there. */
  private fall(state: State | undefined, label: Label): void {
    if (!state) return;
    const kept = label.isLoop ? 0 : label.arity;
    const values = state.stack.slice(state.stack.length - kept);
    state.stack = [...state.stack.slice(0, label.height), ...values];
    label.arrived.push(state);
  }

  /** Runs instructions from `from` to before `to`; the state behind them, if any. */
  private runCode(body: Body, from: number, to: number, start: State, labels: Label[]): State | undefined {
    const { name, code } = body;
    let state: State | undefined = start;
    let at = from;
    const arrive = (depth: number, leaving: State): void => this.fall(leaving, labels.at(-1 - depth)!);
    while (at < to && state) {
      const each: Instruction = code[at]!;
      this.place = `${name}:${at}`;
      switch (each.op) {
        case 'block': {
          const label: Label = { isLoop: false, arity: each.arity, height: state.stack.length, arrived: [] };
          this.fall(this.runCode(body, at + 1, each.end, state, [...labels, label]), label);
          state = this.joined(label);
          at = each.end + 1;
          break;
        }
        case 'loop':
          state = this.runLoop(body, at, state, labels);
          at = each.end + 1;
          break;
        case 'if': {
          const condition = state.stack.pop()!;
          const label: Label = { isLoop: false, arity: each.arity, height: state.stack.length, arrived: [] };
          const other: State = new State(state);
          const inner = [...labels, label];
          if (state.learn(condition, true))
            this.fall(
              this.runCode(body, at + 1, each.otherwise < 0 ? each.end : each.otherwise, state, inner),
              label,
            );
          if (other.learn(condition, false))
            this.fall(
              each.otherwise < 0 ? other : this.runCode(body, each.otherwise + 1, each.end, other, inner),
              label,
            );
          state = this.joined(label);
          at = each.end + 1;
          break;
        }
        case 'br':
          arrive(each.index, state);
          state = undefined;
          break;
        case 'br_if': {
          const condition = state.stack.pop()!;
          const leaving: State = new State(state);
          if (leaving.learn(condition, true)) arrive(each.index, leaving);
          if (!state.learn(condition, false)) state = undefined;
          at++;
          break;
        }
        case 'return':
          arrive(labels.length - 1, state);
          state = undefined;
          break;
        case 'unreachable':
          this.findings.checks.add(this.place);
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
          this.step(each, state);
          at++;
      }
    }
    return state;
  }

  private runLoop(body: Body, at: number, start: State, labels: Label[]): State | undefined {
    const end = body.code[at]!.end;
    const marks = labels.map(({ arrived }) => arrived.length);
    const height = start.stack.length;
    let left: State[] = [];
    const pass = (head: State): State[] => {
      const again: Label = { isLoop: true, arity: 0, height, arrived: [] };
      const out = this.runCode(body, at + 1, end, new State(head), [...labels, again]);
      if (out) left.push(out);
      return again.arrived;
    };
    const forget = (): void => {
      left = [];
      for (const [i, { arrived }] of labels.entries()) arrived.length = marks[i]!;
    };
    const leavers = () =>
      left.length + labels.reduce((sum, { arrived }, i) => sum + arrived.length - marks[i]!, 0);
    const place = `${body.name}:${at}`;
    const { loops } = this.findings;
    let head = start;
    let undecided = 0;
    for (let count = 1; count <= DECIDED_PASSES && undecided <= UNDECIDED_PASSES; count++) {
      const before = leavers();
      const again = pass(head);
      if (again.length === 0) {
        loops.set(place, Math.max(loops.get(place) ?? 0, count));
        return left.length === 0 ? undefined : this.joiner.join(left);
      }
      if (leavers() > before) undecided++;
      head = this.joiner.join(again);
    }
    forget();
    const bound = new Widening(this.joiner, this.thresholds, start).run(pass, forget);
    loops.set(place, Math.max(loops.get(place) ?? 0, bound));
    return left.length === 0 ? undefined : this.joiner.join(left);
  }

  /** An instruction that only works on the stack, locals, globals and memory. */
  private step(each: Instruction, state: State): void {
    const { stack } = state;
    const { op } = each;
    if (op === 'local.get') stack.push(state.locals[each.index]!);
    else if (op === 'local.set') state.locals[each.index] = stack.pop()!;
    else if (op === 'local.tee') state.locals[each.index] = stack.at(-1)!;
    else if (op === 'global.get') stack.push(state.globals[each.index]!);
    else if (op === 'global.set') {
      state.globals[each.index] = stack.pop()!;
      this.cells.store(-8 * (each.index + 1), 8, state.range(state.globals[each.index]!));
    } else if (op.endsWith('.const'))
      stack.push(this.terms.constant(each.value, op.startsWith('i32') ? 32 : 64));
    else if (op === 'drop') stack.pop();
    else if (op === 'nop') return;
    else if (op === 'select') {
      const [whole, other, condition] = stack.splice(-3) as [Term, Term, Term];
      stack.push(this.terms.select(condition, whole, other));
    } else if (op === 'memory.fill' || op === 'memory.copy') {
      const [to, from, length] = stack.splice(-3) as [Term, Term, Term];
      if (op === 'memory.copy') this.requireAccess(state, from, state.range(length)[1]);
      this.writeBytes(state, to, length, op === 'memory.fill' ? from : undefined);
    } else if (op.includes('.load')) stack.push(this.load(op, state, this.offset(stack.pop()!, each.offset)));
    else if (op.includes('.store')) {
      const value = stack.pop()!;
      this.store(op, state, this.offset(stack.pop()!, each.offset), value);
    } else this.compute(op, state);
  }

  private compute(op: string, state: State): void {
    const isUnary = /eqz$|wrap|extend|clz|ctz|popcnt/.test(op);
    const operands = state.stack.splice(isUnary ? -1 : -2);
    if (/\.(div|rem)_/.test(op)) {
      this.findings.met.add(this.place);
      const [low, high] = state.range(operands[1]!);
      if (low === 0n) this.findings.unsafe.set(this.place, 'a divisor may be 0');
      if (op.endsWith('div_s') && high >= 2n ** 31n)
        this.findings.unsafe.set(this.place, 'a quotient may be too large');
    }
    state.stack.push(this.simplified(state, this.applied(op, operands)));
  }

  private applied(op: string, operands: Term[]): Term {
    const bits = op.startsWith('i32') ? 32 : 64;
    const [first] = operands as [Term];
    const name = op.slice(4);
    // Constants know no type before they are used.
    if (first.op !== 'constant' && /^(extend|clz|ctz|popcnt)/.test(name) && name !== 'extend_i32_u')
      return this.joiner.fresh(bits);
    if (/^(and|or)$/.test(name) && operands.every(isCondition)) {
      const [a, b] = operands as [Term, Term];
      return name === 'and'
        ? this.terms.both(a, b)
        : this.terms.not(this.terms.both(this.terms.not(a), this.terms.not(b)));
    }
    return this.terms.apply(op, operands);
  }

  /** A term that is too large to be followed becomes any value within its bounds. */
  private simplified(state: State, term: Term): Term {
    const range = state.range(term);
    if (range[0] === range[1] && term.op !== 'constant') return this.terms.constant(range[0], term.bits);
    if (term.parts.length <= MOST_PARTS && (term.bits === 32 || term.op === 'extend')) return term;
    if (term.op === 'constant' || term.op === 'symbol') return term;
    return this.joiner.fresh(term.bits, range);
  }

  private offset(address: Term, offset: number): Term {
    const at = address.op === 'constant' ? this.terms.constant(address.constant, 32) : address;
    return this.terms.sum(32, [[at, 1n]], BigInt(offset));
  }

  private requireAccess(state: State, address: Term, most: bigint): Range | undefined {
    this.findings.met.add(this.place);
    const [low, high] = state.range(address);
    if (high + most > MEMORY) {
      this.findings.unsafe.set(this.place, `from ${low} to ${high + most}`);
      return undefined;
    }
    if (high + most > this.findings.highest) this.findings.highest = high + most;
    return [low, high];
  }

  private load(op: string, state: State, address: Term): Term {
    const [type, name] = op.split('.') as [string, string];
    const bits = type === 'i32' ? 32 : 64;
    const bytes = SIZES[name]! || bits / 8;
    const range = this.requireAccess(state, address, BigInt(bytes));
    if (name.endsWith('_s')) return this.joiner.fresh(bits);
    if (!range) return this.terms.extend(this.joiner.fresh(8 * bytes), bits);
    const [low, high] = range;
    if (low === high) return this.terms.extend(this.loadCell(state, Number(low), bytes), bits);
    return this.terms.extend(this.loadAny(state, address, [low, high], bytes), bits);
  }

  private loadCell(state: State, at: number, bytes: number): Term {
    const cell = state.cells.get(at);
    if (cell?.bytes === bytes) return cell.term;
    const [low, high] = this.cells.range(at, bytes);
    // What a part of a larger cell, or several, hold is not followed.
    const overlaps = [...this.overlapping(state, BigInt(at), BigInt(at + bytes - 1))];
    const range: Range = overlaps.length > 0 ? [0n, (1n << BigInt(8 * bytes)) - 1n] : [low, high];
    const term =
      low === high && overlaps.length === 0
        ? this.terms.constant(low, 8 * bytes)
        : this.joiner.fresh(8 * bytes, range);
    if (overlaps.length === 0) state.cells.set(at, { term, bytes });
    return term;
  }

  private loadAny(state: State, address: Term, [low, high]: Range, bytes: number): Term {
    const values = this.addresses(address);
    const places =
      values ??
      (high - low < 512n
        ? Array.from({ length: Number(high - low) + 1 }, (_, i) => low + BigInt(i))
        : undefined);
    if (!places || places.some(at => at > MEMORY)) return this.joiner.fresh(8 * bytes);
    let range: Range | undefined;
    for (const at of places) {
      if ([...this.overlapping(state, at, at + BigInt(bytes - 1))].length > 0)
        return this.joiner.fresh(8 * bytes);
      const [a, b] = this.cells.range(Number(at), bytes);
      range = range ? [a < range[0] ? a : range[0], b > range[1] ? b : range[1]] : [a, b];
    }
    return this.joiner.fresh(8 * bytes, range);
  }

  /** The few addresses that one can be. */
  private addresses(address: Term): bigint[] | undefined {
    const [part] = address.parts;
    if (address.op === 'sum' && address.parts.length === 1 && address.factors[0] === 1n)
      return this.joiner.valuesOf(part!)?.map(value => BigInt.asUintN(32, value + address.constant));
    return this.joiner.valuesOf(address)?.slice();
  }

  private *overlapping(state: State, low: bigint, high: bigint): Generator<number> {
    for (const [at, { bytes }] of state.cells) if (at <= high && at + bytes > low) yield at;
  }

  private store(op: string, state: State, address: Term, value: Term): void {
    const [type, name] = op.split('.') as [string, string];
    const bits = type === 'i32' ? 32 : 64;
    const bytes = SIZES[name]! || bits / 8;
    const range = this.requireAccess(state, address, BigInt(bytes));
    if (!range) return;
    const [low, high] = range;
    const given = value.op === 'constant' ? this.terms.constant(value.constant, bits) : value;
    const stored = this.terms.slice(given, 0, 8 * bytes);
    this.forget(state, low, high + BigInt(bytes - 1));
    if (low !== high) {
      for (const at of this.addresses(address) ?? [])
        this.cells.store(Number(at), bytes, state.range(stored));
      if (!this.addresses(address)) this.cells.clobber(low, high + BigInt(bytes - 1));
      return;
    }
    this.cells.store(Number(low), bytes, state.range(stored));
    state.cells.set(Number(low), { term: stored, bytes });
  }

  private writeBytes(state: State, to: Term, length: Term, value: Term | undefined): void {
    const [, most] = state.range(length);
    const range = this.requireAccess(state, to, most);
    if (!range || most === 0n) return;
    const [low, high] = range;
    this.forget(state, low, high + most - 1n);
    if (value && known(value) === 0n && low === high) this.cells.zero(Number(low), Number(most));
    else this.cells.clobber(low, high + most - 1n);
  }

  /** What stood in memory from `low` to `high` is no longer known. */
  private forget(state: State, low: bigint, high: bigint): void {
    this.written?.push([low, high]);
    for (const at of this.overlapping(state, low, high)) state.cells.delete(at);
  }
}
