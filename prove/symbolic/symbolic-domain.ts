// Executes the module's instructions on terms. Memory consists of bytes at known addresses, and of a
// read-only input of symbolic length. A proof lists the allowed accesses.
import { UnprovenClaim } from '../control.js';
import type { Domain } from '../wasm/machine.js';
import type { WasmModule } from '../wasm/module.js';
import type { Place } from '../wasm/places.js';
import type { Paths } from './paths.js';
import { known, type Term, type Terms } from './terms.js';

/**
 * Bytes of memory that code may read, and possibly write: the module's constants, or unknown until something
 * is stored.
 */
export interface Region extends Place {
  readonly holds: 'constants' | 'anything';
}

export const constants = (start: number, length: number): Region => ({
  ...{ start, length, holds: 'constants', isWritable: false },
});

export const anything = (start: number, length: number, isWritable = true): Region => ({
  ...{ start, length, holds: 'anything', isWritable },
});

/** Bytes of arbitrary content, starting at a fixed or a symbolic address. */
export interface Input {
  start: Term;
  length: Term;
}

interface StoredByte {
  term: Term;
  index: number;
}

/** Replaces a call: returns its results, or undefined to run the function. */
type Stub = (parameters: Term[]) => Term[] | undefined;

const BYTES: Record<string, number> = { load: 0, load8_u: 1, load8_s: 1, load16_u: 2, load32_u: 4 };
const STORED: Record<string, number> = { store: 0, store8: 1, store16: 2, store32: 4 };
/** Maximum length of a table with symbolic indices. */
const TABLE = 256;

export class SymbolicDomain implements Domain<Term> {
  accesses = 0;
  readonly stubs = new Map<number, Stub>();
  readonly #module: WasmModule;
  readonly #paths: Paths;
  readonly #terms: Terms;
  readonly #regions: Region[];
  readonly #inputs: Input[];
  readonly #memory = new Map<number, StoredByte>();

  constructor(module: WasmModule, paths: Paths, regions: Region[], inputs: Input[]) {
    this.#module = module;
    this.#paths = paths;
    this.#terms = paths.terms;
    this.#regions = regions;
    this.#inputs = inputs;
  }

  constant(value: bigint, bits: 32 | 64): Term {
    return this.#terms.constant(value, bits);
  }

  apply(op: string, operands: Term[]): Term {
    const [, divisor] = operands;
    if (/\.(div|rem)_/.test(op))
      this.#paths.require(
        this.#terms.not(this.#terms.eq(divisor!, this.#terms.constant(0n, divisor!.bits))),
        'a divisor may be 0',
      );
    return this.#terms.apply(op, operands);
  }

  decide(condition: Term): boolean {
    return this.#paths.decide(condition);
  }

  select(condition: Term, whole: Term, other: Term): Term {
    return this.#terms.select(condition, whole, other);
  }

  call(index: number, parameters: Term[]): Term[] | undefined {
    const stub = this.stubs.get(index);
    if (stub) return stub(parameters);
    if (this.#module.functions[index]!.code.length === 0)
      throw new UnprovenClaim(`the import ${this.#module.functions[index]!.name} is called`);
    return undefined;
  }

  load(op: string, address: Term, offset: number): Term {
    const [type, name] = op.split('.') as [string, string];
    const bits = type === 'i32' ? 32 : 64;
    const bytes = BYTES[name];
    if (bytes === undefined || name === 'load8_s') throw new UnprovenClaim(`${op} is not supported`);
    const read = this.#read(this.#offset(address, offset), bytes || bits / 8);
    return this.#terms.extend(read, bits);
  }

  store(op: string, address: Term, offset: number, value: Term): void {
    const [type, name] = op.split('.') as [string, string];
    const bytes = STORED[name]! || (type === 'i32' ? 4 : 8);
    const bits = type === 'i32' ? 32 : 64;
    const at = known(this.#offset(address, offset));
    if (at === undefined) throw new UnprovenClaim('the address of a store is not fixed');
    this.accesses++;
    this.#allow(at, bytes, true);
    const given = value.op === 'constant' ? this.#terms.constant(value.constant, bits) : value;
    this.write(at, this.#terms.slice(given, 0, 8 * bytes));
  }

  fill(to: Term, value: Term, length: Term): void {
    const [at, count] = [known(to), known(length)];
    if (at === undefined || count === undefined)
      throw new UnprovenClaim('the address or length of a fill is not fixed');
    this.#allow(Number(at), Number(count), true);
    for (let i = 0; i < count; i++) this.write(Number(at) + i, this.#terms.slice(value, 0, 8));
  }

  copy(to: Term, from: Term, length: Term): void {
    const [at, count] = [known(to), known(length)];
    if (at === undefined || count === undefined)
      throw new UnprovenClaim('the address or length of a copy is not fixed');
    this.#allow(Number(at), Number(count), true);
    const bytes = Array.from({ length: Number(count) }, (_, i) => this.#read(this.#offset(from, i), 1));
    bytes.forEach((byte, i) => {
      this.write(Number(at) + i, byte);
    });
  }

  /** Returns the content of memory, including parts that code may not read. */
  peek(at: number, bytes: number): Term {
    return this.#bytesAt(at, bytes);
  }

  /** Writes memory for a proof. */
  write(at: bigint | number, term: Term): void {
    for (let i = 0; i < term.bits / 8; i++) this.#memory.set(Number(at) + i, { term, index: i });
  }

  /** Requires `bytes` from an address on to lie within the input. */
  requireInput(address: Term, bytes: Term, what: string): void {
    const terms = this.#terms;
    const input = this.#inputs.find(
      ({ start }) => start.op === 'constant' || start === address || address.parts.includes(start),
    );
    if (!input) throw new UnprovenClaim(what);
    const before = terms.apply('i32.sub', [address, input.start]);
    const rest = terms.apply('i32.sub', [input.length, before]);
    const isBehind = terms.less(input.length, before);
    this.#paths.require(terms.not(terms.select(isBehind, terms.truth(true), terms.less(rest, bytes))), what);
  }

  #offset(address: Term, offset: number): Term {
    return this.#terms.plus(address, offset);
  }

  #read(address: Term, bytes: number): Term {
    this.accesses++;
    const at = known(address);
    if (at !== undefined && this.#regionOf(Number(at))) {
      this.#allow(at, bytes, false);
      return this.#bytesAt(Number(at), bytes);
    }
    const table = at === undefined && bytes === 1 ? this.#fromTable(address) : undefined;
    if (table) return table;
    this.requireInput(address, this.#terms.constant(BigInt(bytes), 32), 'a load may be beyond the input');
    return this.#terms.join(this.#terms.inputs(address, bytes));
  }

  /** Returns a byte of a constant table, with a path for each possible value. */
  #fromTable(address: Term): Term | undefined {
    const { low, high } = address;
    if (high - low > TABLE || address.op !== 'sum') {
      const region = this.#regions.find(each => this.#isWithin(address, each));
      if (!region) return undefined;
      return this.#oneOf(address, region);
    }
    const region = this.#regionOf(Number(low));
    return region && this.#isWithin(address, region) ? this.#oneOf(address, region) : undefined;
  }

  #isWithin(address: Term, { start, length, holds }: Region): boolean {
    if (holds !== 'constants' || length > TABLE) return false;
    const terms = this.#terms;
    const isInside = terms.less(terms.plus(address, -start), terms.constant(BigInt(length), 32));
    return this.#paths.holds(isInside);
  }

  #oneOf(address: Term, { start, length }: Region): Term {
    const terms = this.#terms;
    const places = new Map<number, Term[]>();
    for (let i = start; i < start + length; i++) {
      const value = this.#module.memory[i]!;
      const isHere = terms.eq(address, terms.constant(BigInt(i), 32));
      places.set(value, [...(places.get(value) ?? []), isHere]);
    }
    const cases = [...places].sort(([, a], [, b]) => a.length - b.length);
    for (const [value, conditions] of cases.slice(0, -1)) {
      if (this.#paths.decide(terms.any(conditions))) return terms.constant(BigInt(value), 8);
    }
    return terms.constant(BigInt(cases.at(-1)![0]), 8);
  }

  #regionOf(at: number): Region | undefined {
    return this.#regions.find(({ start, length }) => at >= start && at < start + length);
  }

  #allow(at: bigint | number, bytes: number, writes: boolean): void {
    const address = Number(at);
    const region = this.#regionOf(address);
    if (region && address + bytes <= region.start + region.length && (region.isWritable || !writes)) return;
    throw new UnprovenClaim(`a ${writes ? 'store' : 'load'} of ${bytes} bytes at ${address} is not allowed`);
  }

  #bytesAt(at: number, bytes: number): Term {
    const stored = Array.from({ length: bytes }, (_, i) => this.#byteAt(at + i));
    const [first] = stored as [StoredByte];
    const isWhole =
      first.term.bits === 8 * bytes &&
      stored.every((each, i) => each.term === first.term && each.index === i);
    if (isWhole) return first.term;
    return this.#terms.join(stored.map(({ term, index }) => this.#terms.slice(term, 8 * index, 8)));
  }

  #byteAt(at: number): StoredByte {
    const stored = this.#memory.get(at);
    if (stored) return stored;
    const holds = this.#regionOf(at)?.holds ?? 'constants';
    const term =
      holds === 'constants'
        ? this.#terms.constant(BigInt(this.#module.memory[at]!), 8)
        : this.#terms.symbol(`byte${at}`, 8);
    return { term, index: 0 };
  }
}
