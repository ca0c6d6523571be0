// Memory consists of cells, which are words at fixed addresses with known properties, of constants, which
// nothing writes, and of unknown bytes.
import type { WasmModule } from '../../wasm/module.js';
import type { Findings, Place } from '../findings.js';
import { rangeOf } from './numeric.js';
import { ANY32, ANY64, intersection, interval, isWithin, type Range, union, valuesOf } from './range.js';
import type { State } from './state.js';
import { constant, makeTerm, sum, symbol, type Term } from './term.js';

export const PAGE = 65536;
/** Constants with more bytes than this count as unknown. */
const LONGEST_TABLE = 8192;
/**
 * A write that is not shown to be in bounds, and may reach more addresses than this, is assumed to change no
 * cell.
 */
const WIDEST_WRITE = 8192;

interface Cell {
  address: number;
  bytes: number;
}

/** Bytes that an access to one of them must not leave. */
export interface Buffer {
  name: string;
  start: number;
  end: number;
}

/** Width of an access, and whether a narrow load is signed. */
interface Shape {
  bytes: number;
  isSigned: boolean;
  bits: 32 | 64;
}

const shapes = new Map<string, Shape>();

function shapeOf(op: string): Shape {
  let shape = shapes.get(op);
  if (!shape) {
    const bits = op.startsWith('i64') ? 64 : 32;
    const [, width] = /(?:load|store)(\d+)?/.exec(op)!;
    shape = { bits, bytes: width ? Number(width) / 8 : bits / 8, isSigned: op.endsWith('_s') };
    shapes.set(op, shape);
  }
  return shape;
}

function widthRange(bytes: number): Range {
  if (bytes === 8) return ANY64;
  return bytes === 4 ? ANY32 : interval(0, 2 ** (8 * bytes) - 1);
}

/** The bytes that an access can reach. */
interface Reach {
  low: number;
  /** Address after its last byte. */
  end: number;
  /** Each possible start address, if they are few. */
  starts: readonly number[] | undefined;
}

/** Words of up to 4 bytes that instructions access at constant addresses. */
export function fixedWords(module: WasmModule): Cell[] {
  const found: Cell[] = [];
  for (const { code } of module.functions) {
    const stack: (number | undefined)[] = [];
    for (const { op, value, offset, index } of code) {
      const shape = /^i32\.(load|store)/.test(op) ? shapeOf(op) : undefined;
      const address = shape && stack.at(op.includes('load') ? -1 : -2);
      if (shape && address !== undefined) found.push({ address: address + offset, bytes: shape.bytes });
      const effect = effectOf(op, module, index);
      if (!effect) stack.length = 0;
      else {
        stack.length = Math.max(0, stack.length - effect[0]);
        for (let i = 0; i < effect[1]; i++) stack.push(op === 'i32.const' ? Number(value) : undefined);
      }
    }
  }
  return found;
}

/** Returns the number of words that an instruction pops and pushes; undefined for control instructions. */
function effectOf(op: string, module: WasmModule, index: number): [number, number] | undefined {
  if (/^(local|global)\.get$|\.const$/.test(op)) return [0, 1];
  if (/^(local|global)\.set$|^drop$/.test(op)) return [1, 0];
  if (op === 'nop' || op === 'local.tee') return [0, 0];
  if (op === 'select') return [3, 1];
  if (/^memory/.test(op)) return [3, 0];
  if (op === 'call') return [module.functions[index]!.parameters, module.functions[index]!.results];
  if (/^i(32|64)\.load/.test(op)) return [1, 1];
  if (/^i(32|64)\.store/.test(op)) return [2, 0];
  if (!/^i(32|64)\./.test(op)) return undefined;
  return /eqz$|wrap|extend|clz|ctz|popcnt/.test(op) ? [1, 1] : [2, 1];
}

export class Memory {
  readonly cells: Cell[] = [];
  /** For each byte, the index of the cell that contains it, or −1. */
  readonly #at = new Int16Array(PAGE).fill(-1);
  readonly image: Uint8Array;
  readonly isWritten = new Uint8Array(PAGE);
  readonly #buffers: readonly Buffer[];
  /** The buffers that have no cells. */
  readonly #shapeless: readonly Buffer[];
  findings: Findings;
  place: Place = '';
  /** Assumed values of some words when they are read. */
  assumed: ReadonlyMap<number, Range> = new Map();
  /** Cells that were read. */
  reads = new Set<number>();
  /** Number of writes to cells or globals. */
  writes = 0;

  constructor(
    image: Uint8Array,
    buffers: readonly Buffer[],
    shapeless: readonly Buffer[],
    findings: Findings,
  ) {
    [this.image, this.#buffers, this.#shapeless, this.findings] = [image, buffers, shapeless, findings];
  }

  initial({ address, bytes }: Cell): Range {
    let value = 0;
    for (let i = bytes - 1; i >= 0; i--) value = value * 256 + this.image[address + i]!;
    if (bytes === 8) return value === 0 ? interval(0, 0) : ANY64;
    return bytes === 4 ? interval(value | 0, value | 0) : interval(value, value);
  }

  /** Returns the bytes that an access can reach if it does not trap; undefined if it always traps. */
  reach(
    state: State,
    address: Term,
    offset: number,
    length: Term | number,
    writes: boolean,
  ): Reach | undefined {
    const { findings, place } = this;
    findings.met.add(place);
    state.tighten(address);
    const range = state.range(address);
    const size = typeof length === 'number' ? interval(length, length) : state.range(length);
    let end = range.high + offset + size.high;
    if (typeof length !== 'number') {
      const last = sum([
        [address, 1],
        [length, 1],
      ]);
      const whole = last && state.range(last);
      if (whole && range.low >= 0 && size.low >= 0 && whole.low >= 0)
        end = Math.min(end, whole.high + offset);
    }
    const low = range.low + offset;
    if (range.low < 0 || size.low < 0 || end > PAGE) {
      findings.open.set(place, `addresses ${low} to ${end}`);
      // After an access that does not trap, its address was within the page. An unbounded write is left to
      // the proof that covers its place.
      if (!state.note(address, interval(0, PAGE))) return undefined;
      if (typeof length !== 'number' && !state.note(length, interval(0, PAGE))) return undefined;
      const { low: from, high: to } = state.range(address);
      const most = typeof length === 'number' ? length : state.range(length).high;
      const until = Math.min(to + offset + most, PAGE);
      if (until - from > WIDEST_WRITE) return { low: from, end: from, starts: undefined };
      return { low: from + offset, end: until, starts: undefined };
    }
    const starts = range.values?.map(each => each + offset) ?? (range.low === range.high ? [low] : undefined);
    const isKept = size.high <= 0 || this.#requireBuffer(low, end, starts, size.high);
    // If the analysis cannot show that a write stays in its buffer, it lists the write, and assumes from then
    // on that the write stays there.
    if (!isKept && writes) return { low, end: low, starts: undefined };
    if (writes) {
      findings.written.push([low, end]);
      for (let i = low; i < end; i++) this.isWritten[i] = 1;
    }
    return { low, end, starts };
  }

  #requireBuffer(low: number, end: number, starts: readonly number[] | undefined, length: number): boolean {
    for (const { name, start, end: behind } of this.#buffers) {
      if (end <= start || low >= behind || (low >= start && end <= behind)) continue;
      const isPart = (from: number) =>
        from + length > start && from < behind && !(from >= start && from + length <= behind);
      if (!starts || starts.some(isPart)) {
        this.findings.open.set(
          this.place,
          `addresses ${low} to ${end} are not within ${name}, from ${start} to ${behind}`,
        );
        return false;
      }
    }
    return true;
  }

  load(state: State, op: string, address: Term, offset: number): Term | undefined {
    const shape = shapeOf(op);
    const { bytes, bits, isSigned } = shape;
    const reached = this.reach(state, address, offset, bytes, false);
    if (!reached) return undefined;
    const { low, end, starts } = reached;
    if (starts) {
      const index = starts.length === 1 ? this.cellAt(low, bytes, op) : undefined;
      if (index !== undefined) {
        const assumption = this.assumed.get(low);
        const term = this.cell(state, index);
        if (assumption && !state.note(term, assumption)) return undefined;
        return this.#shaped(state, term, shape);
      }
      return state.remembered(address, offset, op, () => {
        const ranges = starts.flatMap(start => {
          const range = this.#rangeAt(state, start, bytes);
          const assumption = this.assumed.get(start);
          return assumption ? (intersection(range, assumption) ?? []) : [range];
        });
        const range = ranges.length === 0 ? widthRange(bytes) : ranges.reduce(union);
        return this.#shaped(state, symbol(bytes === 8 ? 64 : 32, range), shape);
      });
    }
    if (
      bytes === 1 &&
      end > low &&
      end - low <= LONGEST_TABLE &&
      !this.isWritten.subarray(low, end).some(each => each !== 0)
    ) {
      const table = this.image.subarray(low, end);
      const range = interval(Math.min(...table), Math.max(...table));
      return this.#shaped(state, symbol(32, range), shape);
    }
    if (bytes === bits / 8) return symbol(bits);
    const half = 2 ** (8 * bytes - 1);
    return symbol(bits, isSigned ? interval(-half, half - 1) : interval(0, 2 * half - 1));
  }

  store(state: State, op: string, address: Term, offset: number, value: Term): boolean {
    const { bytes } = shapeOf(op);
    const reached = this.reach(state, address, offset, bytes, true);
    if (!reached) return false;
    const { low, end, starts } = reached;
    const index = starts?.length === 1 ? this.cellAt(low, bytes, op) : undefined;
    if (index !== undefined) {
      this.writes++;
      state.setCell(index, this.#narrowed(state, value, bytes));
      return true;
    }
    if (!starts) {
      this.forget(state, low, end);
      return true;
    }
    const stored = state.range(this.#narrowed(state, value, bytes));
    for (const start of starts) {
      const exact = this.#at[start]!;
      const cell = this.cells[exact];
      if (cell?.address !== start || cell.bytes !== bytes) this.forget(state, start, start + bytes);
      else {
        this.writes++;
        const before = state.range(this.cell(state, exact));
        state.setCell(exact, symbol(bytes === 8 ? 64 : 32, union(before, stored)));
      }
    }
    return true;
  }

  /** Writes equal bytes, whose value may be unknown. */
  fill(state: State, address: Term, value: Term | undefined, length: Term): boolean {
    const reached = this.reach(state, address, 0, length, true);
    if (!reached) return false;
    const { low, end } = reached;
    const size = state.range(length);
    const isExact = reached.starts?.length === 1 && size.low === size.high;
    const byte = value && state.range(value);
    if (!isExact || !byte || byte.low !== byte.high) {
      this.forget(state, low, end);
      return true;
    }
    this.#eachCell(low, end, index => {
      const { address: at, bytes } = this.cells[index]!;
      const isWhole = at >= low && at + bytes <= end;
      const bits = bytes === 8 ? 64 : 32;
      const isZero = (byte.low & 255) === 0;
      state.setCell(
        index,
        isWhole && (isZero || bytes === 1) ? constant(byte.low & 255, bits) : symbol(bits, widthRange(bytes)),
      );
    });
    return true;
  }

  /** Treats bytes as overwritten with unknown values. */
  clobber(state: State, at: number, length: number): void {
    this.findings.written.push([at, at + length]);
    this.isWritten.fill(1, at, at + length);
    this.forget(state, at, at + length);
  }

  /** Treats the content of cells as unknown. */
  forget(state: State, low: number, end: number): void {
    this.#eachCell(low, end, index => {
      const { bytes } = this.cells[index]!;
      state.setCell(index, symbol(bytes === 8 ? 64 : 32, widthRange(bytes)));
    });
  }

  #eachCell(low: number, end: number, act: (index: number) => void): void {
    let last = -1;
    for (let at = low; at < end; at++) {
      const index = this.#at[at]!;
      if (index < 0 || index === last) continue;
      last = index;
      this.writes++;
      act(index);
    }
  }

  /** Returns the content of a cell. */
  cell(state: State, index: number): Term {
    this.reads.add(index);
    let term = state.cells[index];
    if (!term) {
      const { bytes } = this.cells[index]!;
      term = symbol(bytes === 8 ? 64 : 32, widthRange(bytes));
      state.setCell(index, term);
    }
    return term;
  }

  /** Returns the cell of exactly these bytes; it is created if it does not overlap others. */
  cellAt(address: number, bytes: number, op: string): number | undefined {
    const index = this.#at[address]!;
    if (index >= 0) {
      const cell = this.cells[index]!;
      return cell.address === address && cell.bytes === bytes ? index : undefined;
    }
    if (op.startsWith('i64') || (op.includes('load') && !this.#isAnyWritten(address, bytes)))
      return undefined;
    return this.addCell(address, bytes);
  }

  addCell(address: number, bytes: number): number | undefined {
    for (let i = address; i < address + bytes; i++) if (this.#at[i]! >= 0) return undefined;
    if (this.#shapeless.some(({ start, end }) => address < end && address + bytes > start)) return undefined;
    const index = this.cells.length;
    this.cells.push({ address, bytes });
    this.#at.fill(index, address, address + bytes);
    return index;
  }

  #isAnyWritten(address: number, bytes: number): boolean {
    for (let i = address; i < address + bytes; i++) if (this.isWritten[i]) return true;
    return false;
  }

  #rangeAt(state: State, address: number, bytes: number): Range {
    const index = this.#at[address]!;
    const cell = this.cells[index];
    if (cell?.address === address && cell.bytes === bytes) return state.range(this.cell(state, index));
    if (!this.#isAnyWritten(address, bytes)) return this.initial({ address, bytes });
    return widthRange(bytes);
  }

  /** Returns a loaded word in the instruction's type. */
  #shaped(state: State, term: Term, { bytes, bits, isSigned }: Shape): Term {
    let word = term;
    if (isSigned && bytes < 4) {
      const op = `i32.extend${8 * bytes}_s`;
      const range = rangeOf(op, [state.range(word)]);
      if (!isWithin(state.range(word), range)) word = makeTerm(op, 32, [word], range);
    }
    if (bits === word.bits) return word;
    const op = isSigned || bytes < 4 ? 'i64.extend_i32_s' : 'i64.extend_i32_u';
    return makeTerm(op, 64, [word], rangeOf(op, [state.range(word)]));
  }

  /** Returns the word `value` truncated to `bytes` bytes. */
  #narrowed(state: State, value: Term, bytes: number): Term {
    if (bytes === 8) return value;
    const word =
      value.bits === 64
        ? makeTerm('i32.wrap_i64', 32, [value], rangeOf('i32.wrap_i64', [state.range(value)]))
        : value;
    const width = widthRange(bytes);
    const range = state.range(word);
    if (bytes === 4 || isWithin(range, width)) return word;
    const masked = rangeOf('i32.and', [range, interval(width.high, width.high)]);
    return symbol(32, valuesOf(range) ? masked : width);
  }
}
