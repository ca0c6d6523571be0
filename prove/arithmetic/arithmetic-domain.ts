// Executes WebAssembly's integer instructions on the values of values.ts, with a memory of such values.

import { compute } from '../wasm/compute.js';
import type { Domain } from '../wasm/machine.js';
import type { WasmModule } from '../wasm/module.js';
import { sizeOf } from '../wasm/places.js';
import * as polynomial from './polynomial.js';
import { add, constantOf, isMultiple } from './polynomial.js';
import {
  Algebra,
  exact,
  type Finite,
  type Integer,
  known,
  NotProved,
  pointwise,
  require,
  type Value,
} from './values.js';

interface Cell {
  value: Value;
  size: number;
  /** Index of the byte in the value. */
  index: number;
}

interface Options {
  /** Whether it is an error if a sum or product leaves the signed range of its type. */
  strict: boolean;
  /** Address of 32 bytes whose bits are symbols, whatever was stored there. */
  bitsAt?: number;
  /** Replaces a call of a function; a parameter whose value is unknown is NaN. */
  call?: (index: number, parameters: number[]) => bigint[] | undefined;
  /** Returns the value to store, with tighter bounds if the proof knows them. */
  limit?: (address: number, value: Integer) => Integer;
  /** Called after each store. */
  stored?: (address: number, value: Value) => void;
}

const WORD_MASK = 0xffffffffn;

const isWord = (value: Integer) => value.low >= 0n && value.high <= WORD_MASK;

export class ArithmeticDomain implements Domain<Value> {
  readonly algebra: Algebra;
  /** Greatest sizes of intermediate results, by type. */
  readonly peaks = { i32: 0n, i64: 0n };
  /** Number of additions, subtractions, products and shifts with a checked range. */
  checks = 0;
  readonly #module: WasmModule;
  readonly #options: Options;
  readonly #cells = new Map<number, Cell>();

  constructor(module: WasmModule, options: Options, algebra = new Algebra()) {
    this.#module = module;
    this.#options = options;
    this.algebra = algebra;
  }

  constant(value: bigint): Value {
    return exact(value);
  }

  put(address: number, size: number, value: Value): void {
    for (let index = 0; index < size; index++) this.#cells.set(address + index, { value, size, index });
  }

  get(address: number, size: number): Value {
    const cell = this.#cells.get(address);
    if (cell && cell.size === size && cell.index === 0 && this.#isWhole(address, cell)) return cell.value;
    if (size === 4 && this.#isNamed(address)) {
      return { kind: 'bits', first: 8 * (address - this.#options.bitsAt!) };
    }
    if (size === 8 && (cell?.size === 4 || this.#cells.get(address + 4)?.size === 4)) {
      const words: [Value, Value] = [this.get(address, 4), this.get(address + 4, 4)];
      if (words.some(word => word.kind !== 'finite')) return { kind: 'pair', words };
    }
    return this.#join(address, size);
  }

  load(op: string, address: Value, offset: number): Value {
    const value = this.get(this.#place(address) + offset, sizeOf(op));
    if (value.kind === 'finite') {
      const bits = 8 * sizeOf(op);
      return pointwise([value], ([word]) =>
        op.endsWith('_s') ? BigInt.asIntN(bits, word!) : BigInt.asUintN(bits, word!),
      );
    }
    if (op === 'i64.load32_s') return this.#signed(this.algebra.toInteger(value), 32);
    if (op === 'i64.load32_u') return this.#unsigned(this.algebra.toInteger(value), 32);
    require(sizeOf(op) >= 4, `${op} reads part of a symbolic value`);
    return value;
  }

  store(op: string, address: Value, offset: number, value: Value): void {
    const size = sizeOf(op);
    const at = this.#place(address) + offset;
    if (this.#isNamed(at)) return;
    if (value.kind === 'pair') {
      this.put(at, 4, value.words[0]);
      this.put(at + 4, 4, value.words[1]);
      return;
    }
    const kept = value.kind === 'integer' ? this.#kept(at, size, value) : value;
    this.put(at, size, kept);
    this.#options.stored?.(at, kept);
  }

  #kept(at: number, size: number, value: Integer): Integer {
    return this.#narrowed(this.#options.limit?.(at, value) ?? value, 8 * size);
  }

  fill(to: Value, value: Value, length: Value): void {
    for (let i = 0; i < this.#place(length); i++) this.put(this.#place(to) + i, 1, value);
  }

  copy(to: Value, from: Value, length: Value): void {
    const [target, source] = [this.#place(to), this.#place(from)];
    const moved = Array.from({ length: this.#place(length) }, (_, i) => this.#cells.get(source + i));
    moved.forEach((cell, i) => {
      if (cell) this.#cells.set(target + i, cell);
      else this.put(target + i, 1, exact(BigInt(this.#module.memory[source + i]!)));
    });
  }

  decide(condition: Value): boolean {
    const value = known(condition);
    require(value !== undefined, 'a branch depends on a symbolic value');
    return value !== 0n;
  }

  select(condition: Value, whole: Value, other: Value): Value {
    return this.decide(condition) ? whole : other;
  }

  call(index: number, parameters: Value[]): Value[] | undefined {
    const places = parameters.map(value => (known(value) === undefined ? Number.NaN : this.#place(value)));
    return this.#options.call?.(index, places)?.map(exact);
  }

  apply(op: string, operands: Value[]): Value {
    if (operands.every(each => each.kind === 'finite')) {
      return pointwise(operands as Finite[], values => compute(op, values));
    }
    const [a, b] = operands as [Value, Value];
    if (a.kind === 'bits') return this.#shiftBits(op, a.first, b);
    const bits = op.startsWith('i32') ? 32 : 64;
    return this.#applyInteger(op.slice(4), bits, a, b);
  }

  #applyInteger(name: string, bits: 32 | 64, a: Value, b: Value): Value {
    const left = this.algebra.toInteger(a);
    if (name === 'wrap_i64') return this.#narrowed(left, 32);
    if (name === 'extend_i32_s') return this.#signed(left, 32);
    if (name === 'extend_i32_u') return this.#unsigned(left, 32);
    const right = this.algebra.toInteger(b);
    if (name === 'add') return this.#ranged(this.algebra.add(left, right), bits);
    if (name === 'sub') return this.#ranged(this.algebra.add(left, right, -1n), bits);
    if (name === 'mul') return this.#ranged(this.algebra.multiply(left, right), bits);
    if (name === 'and') return this.#and(left, right);
    if (name === 'or') return this.#or(left, right);
    if (name === 'xor') return this.#xor(left, right);
    const shift = known(b);
    require(shift !== undefined, `${name} shifts by a symbolic number`);
    if (name === 'shl')
      return this.#ranged(this.algebra.multiply(left, this.algebra.toInteger(exact(1n << shift))), bits);
    if (name === 'shr_s') return this.algebra.quotient(this.#signed(left, bits), shift);
    if (name === 'shr_u') return this.algebra.quotient(this.#unsigned(left, bits), shift);
    throw new NotProved(`${name} is not supported on symbolic values`);
  }

  /** Returns a & b if one operand is the constant 2^k − 1, or a mask that is 0 or −1. Else throws NotProved. */
  #and(a: Integer, b: Integer): Integer {
    const [value, mask] = constantOf(a.polynomial) === undefined ? [a, b] : [b, a];
    const single = constantOf(mask.polynomial);
    if (single !== undefined && single > 0n && (single & (single + 1n)) === 0n) {
      return this.algebra.remainder(value, BigInt(single.toString(2).length));
    }
    for (const [word, bits] of [
      [a, b],
      [b, a],
    ] as const) {
      const isMask = polynomial.isMultiple(bits.polynomial, WORD_MASK);
      if (!isMask || !isWord(bits) || !isWord(word)) continue;
      return this.algebra.multiply(
        word,
        this.algebra.integer(polynomial.divide(bits.polynomial, WORD_MASK), 0n, 1n),
      );
    }
    const [other, all] = value.low >= -1n && value.high <= 0n ? [mask, value] : [value, mask];
    require(all.low >= -1n &&
      all.high <= 0n &&
      other.low >= 0n, 'an operand of & is neither 2^k − 1 nor a mask of 0 or −1');
    return this.algebra.multiply(other, this.algebra.add(this.algebra.toInteger(exact(0n)), all, -1n));
  }

  /** a | b if no bit is set in both, because one is a multiple of 2^j and the other is below 2^j. */
  #or(a: Integer, b: Integer): Integer {
    for (const [below, above] of [
      [a, b],
      [b, a],
    ] as const) {
      if (below.low < 0n) continue;
      const size = 1n << BigInt(below.high.toString(2).length);
      if (isMultiple(above.polynomial, size)) return this.algebra.add(below, above);
    }
    throw new NotProved('the operands of | may have a bit in common');
  }

  #xor(a: Integer, b: Integer): Integer {
    const [value, mask] = constantOf(a.polynomial) === undefined ? [a, b] : [b, a];
    const single = constantOf(mask.polynomial);
    if (single === 0n) return value;
    require(single === -1n, '^ is supported only with 0 or −1');
    const flipped = add(new Map([['', -1n]]), value.polynomial, -1n);
    return this.algebra.integer(flipped, -1n - value.high, -1n - value.low);
  }

  /** The only supported operation on a word of named bits is (word >> n) & 1. */
  #shiftBits(op: string, first: number, by: Value): Value {
    const shift = known(by);
    require(op === 'i32.shr_u' && shift !== undefined, `${op} is not supported on a word of named bits`);
    const support = Array.from({ length: 1 }, () => first + Number(shift & 31n));
    return { kind: 'finite', support, values: [0n, 1n] };
  }

  #signed(value: Integer, bits: number): Integer {
    const size = 1n << BigInt(bits - 1);
    if (value.low >= -size && value.high < size) return value;
    throw new NotProved(`a value that does not fit i${bits} is used as a signed number`);
  }

  #unsigned(value: Integer, bits: number): Integer {
    if (value.low >= 0n && value.high < 1n << BigInt(bits)) return value;
    require(!this.#options.strict, `a value that does not fit u${bits} is used as an unsigned number`);
    if (bits === 32 && value.low >= -1n && value.high <= 0n) {
      // A mask of −1 has all bits set.
      const mask = polynomial.scale(value.polynomial, -WORD_MASK);
      return this.algebra.integer(mask, -WORD_MASK * value.high, -WORD_MASK * value.low);
    }
    return this.algebra.remainder(value, BigInt(bits));
  }

  /**
   * Returns the value in a narrower word. It stays the same if it fits there as a signed or an unsigned
   * number.
   */
  #narrowed(value: Integer, bits: number): Integer {
    const size = 1n << BigInt(bits);
    if (value.low >= -size / 2n && value.high < size / 2n) return value;
    if (value.low >= 0n && value.high < size) return value;
    require(!this.#options.strict, `a value does not fit ${bits} bits`);
    return this.algebra.remainder(value, BigInt(bits));
  }

  #ranged(value: Integer, bits: 32 | 64): Integer {
    this.checks++;
    const size = -value.low > value.high ? -value.low : value.high;
    const type = `i${bits}` as const;
    if (size > this.peaks[type]) this.peaks[type] = size;
    if (this.#options.strict) {
      const half = 1n << BigInt(bits - 1);
      require(value.low >= -half && value.high < half, `a result does not fit i${bits}`);
    }
    return value;
  }

  #place(address: Value): number {
    const value = known(address);
    require(value !== undefined, 'an address is symbolic');
    return Number(BigInt.asUintN(32, value));
  }

  #isNamed(address: number): boolean {
    const { bitsAt } = this.#options;
    return bitsAt !== undefined && address >= bitsAt && address < bitsAt + 32;
  }

  #isWhole(address: number, { value, size }: Cell): boolean {
    for (let index = 1; index < size; index++) {
      const cell = this.#cells.get(address + index);
      if (cell?.value !== value || cell.index !== index) return false;
    }
    return true;
  }

  #join(address: number, size: number): Value {
    const bytes = Array.from({ length: size }, (_, i) => this.#byte(address + i));
    return pointwise(bytes, values => values.reduceRight((word, byte) => (word << 8n) | byte, 0n));
  }

  #byte(address: number): Finite {
    const cell = this.#cells.get(address);
    if (!cell) return exact(BigInt(this.#module.memory[address]!));
    const value =
      cell.value.kind === 'integer' ? exact(known(cell.value) ?? this.#fail(address)) : cell.value;
    require(value.kind === 'finite', `an instruction reads part of the symbolic value at ${address}`);
    return pointwise([value], ([word]) => (BigInt.asUintN(64, word!) >> BigInt(8 * cell.index)) & 255n);
  }

  #fail(address: number): never {
    throw new NotProved(`an instruction reads part of the symbolic value at ${address}`);
  }
}
