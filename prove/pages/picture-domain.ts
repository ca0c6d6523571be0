// Executes the module's instructions on the words of `word.ts`. Checks that accesses are allowed, follows the
// frame bit by bit, and proves that an optional block changes nothing where the code would skip it.
import { UnprovenClaim } from '../control.js';
import type { Domain } from '../wasm/machine.js';
import type { Instruction, WasmModule } from '../wasm/module.js';
import { isAllowed, type Place as Region, sizeOf } from '../wasm/places.js';
import {
  apply,
  type Bit,
  Bits,
  bitsOf,
  isNumber,
  ofBits,
  type Place,
  SPACE,
  SPACE_MARK,
  shownBy,
  someOf,
  UNKNOWN,
  type Variable,
  valuesOf,
  type Word,
} from './word.js';

/** Maximum number of passes of all loops in a run. */
const MOST_PASSES = 20_000;

type Stub = (parameters: Word[]) => Word[];

export class PictureDomain implements Domain<Word> {
  accesses = 0;
  #passes = 0;
  readonly bits: Bits;
  readonly stubs = new Map<number, Stub>();
  /** Whether a place is before another. */
  isLess: (places: readonly [Place, Place]) => boolean = () => {
    throw new UnprovenClaim('two addresses are compared');
  };
  /** Reads a byte at a location. */
  at: (place: Exclude<Place, number>) => Word = ({ name }) => {
    throw new UnprovenClaim(`a load at ${name} is not allowed`);
  };
  readonly #module: WasmModule;
  readonly #regions: readonly Region[];
  readonly #memory = new Map<number, Word>();
  readonly #tables = new Map<string, Word>();
  /**
   * For each entered block, the bits that are all 0 if the code would skip it; undefined if they are unknown.
   */
  readonly #entered: (ReadonlySet<Bit> | undefined)[] = [];

  constructor(module: WasmModule, regions: readonly Region[], bits = new Bits()) {
    [this.#module, this.#regions, this.bits] = [module, regions, bits];
  }

  constant(value: bigint, _bits: 32 | 64): Word {
    return Number(BigInt.asIntN(32, value));
  }

  apply(op: string, operands: Word[]): Word {
    const [a, b] = operands as [Word, Word?];
    if (/\.(div|rem)_/.test(op) && b === 0) throw new UnprovenClaim('a divisor is 0');
    return apply(this.bits, op, a, b);
  }

  /** Returns whether a condition is unknown. */
  isOpen(condition: Word): boolean {
    return !isNumber(condition) && condition.kind !== 'less' && !isTrue(condition);
  }

  decide(condition: Word): boolean {
    if (isNumber(condition)) return condition !== 0;
    if (condition.kind === 'less') return this.isLess(condition.places);
    if (isTrue(condition)) return true;
    throw new UnprovenClaim('both outcomes of a branch are possible');
  }

  select(condition: Word, whole: Word, other: Word): Word {
    if (isNumber(condition)) return condition !== 0 ? whole : other;
    if (whole === other) return whole;
    if (condition.kind === 'is-space') {
      const { of } = condition;
      if (whole === 1 && other === 0) return condition;
      const isOwn = !isNumber(other) && other.kind === 'scaled' && other.of === of && other.factor === 1;
      if (isOwn && isNumber(whole) && whole === SPACE_MARK && other.plus === 0)
        return { kind: 'scaled', of: { ...of, isMarked: true }, factor: 1, plus: 0 };
      return UNKNOWN;
    }
    const [x, y] = [valuesOf(whole), valuesOf(other)];
    if (condition.kind === 'table') return this.#chosen(condition, whole, other);
    return x && y ? someOf([...x, ...y]) : UNKNOWN;
  }

  #chosen(condition: Extract<Word, { kind: 'table' }>, whole: Word, other: Word): Word {
    const mask: Word = { ...condition, values: condition.values.map(each => (each === 0 ? 0 : -1)) };
    const inverse: Word = { ...condition, values: condition.values.map(each => (each === 0 ? -1 : 0)) };
    const one = apply(this.bits, 'i32.and', whole, mask);
    return apply(this.bits, 'i32.or', one, apply(this.bits, 'i32.and', other, inverse));
  }

  /** Enters an optional block, which must change nothing if the condition is false. */
  enter(condition: Word): void {
    const bits = isNumber(condition) ? undefined : bitsOf(condition);
    this.#entered.push(bits && new Set(bits.flatMap(bit => this.bits.partsOf(bit))));
  }

  leave(): void {
    this.#entered.pop();
  }

  unknown(): Word {
    return UNKNOWN;
  }

  /** Checks that a loop's next pass does not read locals left by the previous one. */
  again(code: readonly Instruction[], start: number, locals: Word[]): void {
    if (++this.#passes > MOST_PASSES) throw new UnprovenClaim('a loop does not end');
    for (const index of overwritten(code, start)) locals[index] = UNKNOWN;
  }

  call(index: number, parameters: Word[]): Word[] | undefined {
    const stub = this.stubs.get(index);
    if (stub) return stub(parameters);
    const { name, code } = this.#module.functions[index]!;
    if (code.length === 0) throw new UnprovenClaim(`the import ${name} is called`);
    return undefined;
  }

  load(op: string, address: Word, offset: number): Word {
    if (op.endsWith('_s')) throw new UnprovenClaim(`${op} is not supported`);
    const bytes = sizeOf(op);
    this.accesses++;
    if (!isNumber(address) && address.kind === 'place') {
      if (bytes !== 1) throw new UnprovenClaim(`${op} at ${address.name} reads more than one byte`);
      return this.at({ ...address, plus: address.plus + offset });
    }
    if (!isNumber(address) && address.kind === 'scaled' && bytes === 1)
      return this.#fromTable(address.of, address.factor, address.plus + offset);
    const places = this.#reach(address, offset, bytes, false);
    if (places.length > 1) return UNKNOWN;
    return this.#read(places[0]!, bytes);
  }

  store(op: string, address: Word, offset: number, value: Word): void {
    const bytes = sizeOf(op);
    this.accesses++;
    const places = this.#reach(address, offset, bytes, true);
    for (const at of places) {
      if (places.length > 1) for (let i = 0; i < bytes; i++) this.#put(at + i, UNKNOWN);
      else this.write(at, bytes, value);
    }
  }

  fill(to: Word, value: Word, length: Word): void {
    if (!isNumber(to) || !isNumber(length))
      throw new UnprovenClaim('the address or length of a fill is not fixed');
    this.accesses++;
    this.#reach(to, 0, length, true);
    for (let i = 0; i < length; i++) this.#put(to + i, isNumber(value) ? value & 255 : UNKNOWN);
  }

  copy(to: Word, from: Word, length: Word): void {
    if (!isNumber(to) || !isNumber(length))
      throw new UnprovenClaim('the address or length of a copy is not fixed');
    this.accesses++;
    this.#reach(to, 0, length, true);
    const bytes = Array.from({ length }, (_, i) => this.load('i32.load8_u', from, i));
    bytes.forEach((byte, i) => {
      this.#put(to + i, byte);
    });
  }

  /** Returns the content of memory, including parts that code may not read. */
  peek(at: number): Word {
    return this.#memory.get(at) ?? this.#initial(at);
  }

  /** Writes a word of this many bytes into memory for a proof. */
  write(at: number, bytes: number, value: Word): void {
    if (bytes === 1 || !isNumber(value)) {
      const isWhole = bytes > 1 || (!isNumber(value) && value.kind === 'scaled');
      this.#put(at, isWhole ? value : apply(this.bits, 'i32.and', value, 255), bytes);
      return;
    }
    for (let i = 0; i < bytes; i++) this.#put(at + i, (value >>> (8 * i)) & 255);
  }

  /** Multi-byte words that are not numbers, by their address. */
  readonly #wide = new Map<number, [word: Word, bytes: number]>();

  #put(at: number, value: Word, bytes = 1): void {
    for (let i = at - 3; i <= at; i++) if (i + (this.#wide.get(i)?.[1] ?? 0) > at) this.#wide.delete(i);
    if (bytes > 1) {
      if (this.#entered.length > 0) throw new UnprovenClaim('an optional block stores more than bits');
      for (let i = at; i < at + bytes; i++) this.#memory.set(i, UNKNOWN);
      this.#wide.set(at, [value, bytes]);
      return;
    }
    if (this.#entered.length > 0) this.#requireNothing(this.peek(at), value);
    const byte = !isNumber(value) && value.kind === 'scaled' ? narrowed(value) : value;
    this.#memory.set(at, byte);
  }

  /** Requires that a store changes nothing if the bits of the block are 0. */
  #requireNothing(before: Word, after: Word): void {
    if (isUnknown(before) && isUnknown(after)) return;
    const [x, y] = [bitsOf(before), bitsOf(after)];
    if (isUnknown(after)) return;
    if (!x || !y) throw new UnprovenClaim('an optional block stores more than bits');
    x.forEach((bit, i) => {
      const change = this.bits.xor(bit, y[i]!);
      if (change === 0) return;
      const parts = this.bits.partsOf(change);
      const isNothing = this.#entered.every(bits => bits && parts.every(part => bits.has(part)));
      if (change === 1 || (change & 1) === 1 || !isNothing)
        throw new UnprovenClaim('an optional block changes other bits');
    });
  }

  #read(at: number, bytes: number): Word {
    const whole = this.#wide.get(at);
    if (whole && whole[1] === bytes) return whole[0];
    const parts = Array.from({ length: bytes }, (_, i) => this.peek(at + i));
    if (bytes === 1) return parts[0]!;
    const bits = parts.map(bitsOf);
    if (bits.some(each => !each)) return UNKNOWN;
    return ofBits(bits.flatMap(each => each!.slice(0, 8)));
  }

  #initial(at: number): Word {
    const region = this.#regions.find(({ start, length }) => at >= start && at < start + length);
    return region && !region.isWritable ? this.#module.memory[at]! : UNKNOWN;
  }

  #reach(address: Word, offset: number, bytes: number, writes: boolean): number[] {
    const places = valuesOf(address)?.map(each => each + offset);
    if (!places) throw new UnprovenClaim(`a ${writes ? 'store' : 'load'} has an unknown address`);
    const outside = places.find(at => !isAllowed(this.#regions, at, bytes, writes));
    if (outside !== undefined)
      throw new UnprovenClaim(
        `a ${writes ? 'store' : 'load'} of ${bytes} bytes at ${outside} is not allowed`,
      );
    return places;
  }

  /** Reads a byte of a constant table at an unknown index: bits that are equal in all entries are known. */
  #fromTable(of: Variable, factor: number, plus: number): Word {
    const places = shownBy(of).map(each => each * factor + plus);
    const outside = places.find(at => !isAllowed(this.#regions, at, 1, false));
    if (outside !== undefined) throw new UnprovenClaim(`a load at ${outside} is not allowed`);
    if (places.some(at => this.#memory.has(at) || !isNumber(this.#initial(at)))) return UNKNOWN;
    const key = `${of.name}${of.isMarked ? ' marked' : ''} ${of.low} ${of.high} ${factor} ${plus}`;
    let found = this.#tables.get(key);
    if (found === undefined) {
      found = this.#fromBytes(
        key,
        places.map(at => this.#module.memory[at]!),
        factor,
      );
      this.#tables.set(key, found);
    }
    return found;
  }

  #fromBytes(key: string, values: readonly number[], factor: number): Word {
    if (new Set(values).size <= 2 && factor === 1) return someOf(values);
    return ofBits(
      Array.from({ length: 8 }, (_, i) => {
        const [first, ...others] = values.map(each => (each >> i) & 1) as [Bit, ...Bit[]];
        return others.every(each => each === first) ? first : this.bits.bit(`${key} ${i}`);
      }),
    );
  }
}

/** Returns whether a bit of the word is known to be set. */
function isTrue(word: Word): boolean {
  return !isNumber(word) && word.kind === 'bits' && word.bits.includes(1);
}

function isUnknown(word: Word): boolean {
  return !isNumber(word) && word.kind === 'unknown';
}

/** Returns a word as a byte; unknown unless all its values are below 256. */
function narrowed(word: Extract<Word, { kind: 'scaled' }>): Word {
  const { of, factor, plus } = word;
  const fits = shownBy(of).every(each => each * factor + plus >= 0 && each * factor + plus < 256);
  return fits ? word : UNKNOWN;
}

const firstSet = new Map<Instruction, number[]>();

/** Locals that the code of a loop sets before it reads them. */
function overwritten(code: readonly Instruction[], start: number): number[] {
  const loop = code[start]!;
  let found = firstSet.get(loop);
  if (!found) {
    const [first, set] = [new Set<number>(), [] as number[]];
    for (const { op, index } of code.slice(start + 1, loop.end)) {
      if (!op.startsWith('local.') || first.has(index)) continue;
      first.add(index);
      if (op !== 'local.get') set.push(index);
    }
    found = set;
    firstSet.set(loop, found);
  }
  return found;
}

/** Returns a character's word: any character of the font, or a range. */
export function character(name: string, low: number = SPACE, high = 0x7e): Word {
  return { kind: 'scaled', of: { name, low, high, isMarked: false }, factor: 1, plus: 0 };
}
