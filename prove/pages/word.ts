// Words by their structure: numbers, one of several characters, single bits, or a function of a few bits. A
// result is either exact or `unknown`; an unknown word may not be an address or decide a branch.

import { compute32 } from '../wasm/compute.js';

/** 0, 1, or the number of an unknown bit: an odd number is the inverse of the preceding even one. */
export type Bit = number;

export type Word =
  | number
  | { readonly kind: 'bits'; readonly bits: readonly Bit[] }
  /** A number for each setting of these bits; the first bit is the lowest of the index. */
  | { readonly kind: 'table'; readonly of: readonly Bit[]; readonly values: readonly number[] }
  /** `factor` × a named number from `low` to `high`, plus a number. */
  | { readonly kind: 'scaled'; readonly of: Variable; readonly factor: number; readonly plus: number }
  /** The word has one of these values. */
  | { readonly kind: 'some'; readonly values: readonly number[] }
  /** A named address with an offset. */
  | { readonly kind: 'place'; readonly name: string; readonly plus: number }
  /** Whether the first address is less than the second. */
  | { readonly kind: 'less'; readonly places: readonly [Place, Place] }
  /** Whether a character is a space. */
  | { readonly kind: 'is-space'; readonly of: Variable }
  | { readonly kind: 'unknown' };

/** A number with known bounds. A marked character is drawn as a mark if it is a space. */
export interface Variable {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly isMarked: boolean;
}

export type Place = number | { readonly kind: 'place'; readonly name: string; readonly plus: number };

export const UNKNOWN: Word = { kind: 'unknown' };
export const SPACE = 0x20;
export const SPACE_MARK = 0x80;
const MOST_BITS = 8;
const MOST_VALUES = 256;

export function isNumber(word: Word): word is number {
  return typeof word === 'number';
}

/** Unknown bits, and the results of combining two of them. */
export class Bits {
  #count = 2;
  readonly #pairs = new Map<string, Bit>();
  readonly #sums = new Map<number, Bit>();
  readonly #named = new Map<string, Bit>();
  /** The parts of even bits that are combinations. */
  readonly #parts = new Map<Bit, readonly Bit[]>();

  bit(name: string): Bit {
    let found = this.#named.get(name);
    if (found === undefined) {
      found = this.#fresh();
      this.#named.set(name, found);
    }
    return found;
  }

  #fresh(): Bit {
    const bit = this.#count;
    this.#count += 2;
    return bit;
  }

  xor(a: Bit, b: Bit): Bit {
    if (a < 2 || b < 2) return a ^ b;
    if (a >> 1 === b >> 1) return (a ^ b) & 1;
    const whole = a < b ? a * 2 ** 24 + b : b * 2 ** 24 + a;
    let found = this.#sums.get(whole);
    if (found === undefined) {
      found = this.#sum(a, b);
      this.#sums.set(whole, found);
    }
    return found;
  }

  #sum(a: Bit, b: Bit): Bit {
    const all = new Set(this.partsOf(a));
    for (const each of this.partsOf(b)) if (!all.delete(each)) all.add(each);
    const sorted = [...all].sort((x, y) => x - y);
    const flip = (a ^ b) & 1;
    if (sorted.length === 0) return flip;
    if (sorted.length === 1) return sorted[0]! ^ flip;
    const key = sorted.join();
    let found = this.#pairs.get(key);
    if (found === undefined) {
      found = this.#fresh();
      this.#pairs.set(key, found);
      this.#parts.set(found, sorted);
    }
    return found ^ flip;
  }

  /** Returns the named bits whose sum modulo 2 is the given bit. */
  partsOf(bit: Bit): readonly Bit[] {
    return this.#parts.get(bit & ~1) ?? (bit < 2 ? [] : [bit & ~1]);
  }
}

/** Returns a word of bits; a number if all are known. */
export function ofBits(bits: readonly Bit[]): Word {
  if (bits.every(each => each < 2)) return bits.reduce((sum, bit, i) => sum | (bit << i), 0);
  return {
    kind: 'bits',
    bits: bits.length === 32 ? bits : [...bits, ...Array<Bit>(32 - bits.length).fill(0)],
  };
}

const SMALL = Array.from({ length: 256 }, (_, word) => bitsOfNumber(word));

function bitsOfNumber(word: number): readonly Bit[] {
  return Array.from({ length: 32 }, (_, i) => (word >>> i) & 1);
}

export function bitsOf(word: Word): readonly Bit[] | undefined {
  if (isNumber(word)) return SMALL[word] ?? bitsOfNumber(word);
  return word.kind === 'bits' ? word.bits : undefined;
}

function ofTable(of: readonly Bit[], values: readonly number[]): Word {
  return values.every(each => each === values[0]) ? values[0]! : { kind: 'table', of, values };
}

/** Returns a word as a function of its bits; undefined if it depends on too many bits. */
function tableOf(word: Word): { of: readonly Bit[]; values: readonly number[] } | undefined {
  if (isNumber(word)) return { of: [], values: [word] };
  if (word.kind === 'table') return word;
  if (word.kind !== 'bits') return undefined;
  const of = [...new Set(word.bits.filter(each => each > 1).map(each => each & ~1))].sort((a, b) => a - b);
  if (of.length > MOST_BITS) return undefined;
  const values = Array.from({ length: 2 ** of.length }, (_, setting) =>
    word.bits.reduce((sum, bit, i) => {
      const value = bit < 2 ? bit : ((setting >> of.indexOf(bit & ~1)) ^ bit) & 1;
      return sum | (value << i);
    }, 0),
  );
  return { of, values };
}

function together(op: string, a: Word, b: Word): Word {
  const [x, y] = [tableOf(a), tableOf(b)];
  if (!x || !y) return UNKNOWN;
  const of = [...new Set([...x.of, ...y.of])].sort((p, q) => p - q);
  if (of.length > MOST_BITS) return UNKNOWN;
  const part = (table: { of: readonly Bit[]; values: readonly number[] }, setting: number): number =>
    table.values[table.of.reduce((sum, bit, i) => sum | (((setting >> of.indexOf(bit)) & 1) << i), 0)]!;
  const values = Array.from({ length: 2 ** of.length }, (_, setting) =>
    compute32(op, part(x, setting), part(y, setting)),
  );
  return ofTable(of, values);
}

export function valuesOf(word: Word): readonly number[] | undefined {
  if (isNumber(word)) return [word];
  if (word.kind === 'some') return word.values;
  if (word.kind !== 'scaled') return undefined;
  const { of, factor, plus } = word;
  if (of.high - of.low >= MOST_VALUES) return undefined;
  return shownBy(of).map(each => each * factor + plus);
}

/** Returns the possible values of a variable. In a marked character, the mark replaces the space. */
export function shownBy({ low, high, isMarked }: Variable): number[] {
  const all = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return isMarked ? all.map(each => (each === SPACE ? SPACE_MARK : each)) : all;
}

export function someOf(values: Iterable<number>): Word {
  const all = [...new Set(values)].sort((a, b) => a - b);
  if (all.length > MOST_VALUES) return UNKNOWN;
  return all.length === 1 ? all[0]! : { kind: 'some', values: all };
}

function bounds(word: Word): [number, number] | undefined {
  if (isNumber(word)) return [word, word];
  if (word.kind === 'some') return [word.values[0]!, word.values.at(-1)!];
  if (word.kind !== 'scaled' || word.of.isMarked || word.factor < 0) return undefined;
  return [word.of.low * word.factor + word.plus, word.of.high * word.factor + word.plus];
}

/** Sums, products, and quotients by a number, of values with known bounds. */
function ofScaled(op: string, a: Word, b: Word): Word | undefined {
  if (!isNumber(a) && a.kind === 'scaled' && isNumber(b)) {
    const { of, factor, plus } = a;
    const whole = bounds(a);
    switch (op) {
      case 'i32.add':
        return { ...a, plus: plus + b };
      case 'i32.sub':
        return { ...a, plus: plus - b };
      case 'i32.mul':
        return { ...a, factor: factor * b, plus: plus * b };
      case 'i32.shl':
        return { ...a, factor: factor * 2 ** b, plus: plus * 2 ** b };
      case 'i32.div_u':
      case 'i32.rem_u': {
        if (!whole || whole[0] < 0 || b <= 0) return undefined;
        const [low, high] = whole.map(each => Math.floor(each / b)) as [number, number];
        const name = `${of.name}*${factor}+${plus}`;
        if (op === 'i32.div_u') return quotient(`${name}/${b}`, low, high);
        return low === high && b > 1
          ? quotient(`${name}%${b}`, whole[0] % b, whole[1] % b)
          : quotient(`${name}%${b}`, 0, b - 1);
      }
      case 'i32.eq':
        if (b === SPACE && factor === 1 && plus === 0 && !of.isMarked && of.low <= SPACE && of.high >= SPACE)
          return { kind: 'is-space', of };
    }
  }
  if (op === 'i32.add' && isNumber(a) && !isNumber(b) && b.kind === 'scaled') return ofScaled(op, b, a);
  return compared(op, a, b);
}

function quotient(name: string, low: number, high: number): Word {
  return low === high
    ? low
    : { kind: 'scaled', of: { name, low, high, isMarked: false }, factor: 1, plus: 0 };
}

/** Returns the result of a comparison. It is known if the bounds of both sides decide it. */
function compared(op: string, a: Word, b: Word): Word | undefined {
  const [, name, sign] = /^i32\.(eqz|eq|ne|lt|gt|le|ge)(?:_([su]))?$/.exec(op) ?? [];
  const [x, y] = [bounds(a), bounds(b)];
  if (!name || !x || !y || (sign === 'u' && (x[0] < 0 || y[0] < 0))) return undefined;
  const corners = x.flatMap(left => y.map(right => compute32(op, left, right)));
  if (name === 'eq' || name === 'ne' || name === 'eqz') {
    const isApart = x[0] > y[1] || y[0] > x[1];
    const isOne = x[0] === x[1] && y[0] === y[1] && x[0] === y[0];
    return isApart || isOne ? corners[0]! : someOf([0, 1]);
  }
  return someOf(corners);
}

/** Returns the result of an instruction on words. */
export function apply(bits: Bits, op: string, a: Word, b: Word = 0): Word {
  if (isNumber(a) && isNumber(b)) return compute32(op, a, b);
  if ((!isNumber(a) && a.kind === 'unknown') || (!isNumber(b) && b.kind === 'unknown')) return UNKNOWN;
  const placed = ofPlaces(op, a, b);
  if (placed !== undefined) return placed;
  const scaled = ofScaled(op, a, b);
  if (scaled !== undefined) return scaled;
  const [x, y] = [bitsOf(a), bitsOf(b)];
  const wise = x && y ? bitwise(bits, op, x, y, b) : undefined;
  if (wise !== undefined) return wise;
  const [p, q] = [valuesOf(a), valuesOf(b)];
  if (p && q && p.length * q.length <= MOST_VALUES)
    return someOf(p.flatMap(left => q.map(right => compute32(op, left, right))));
  return together(op, a, b);
}

function bitwise(bits: Bits, op: string, x: readonly Bit[], y: readonly Bit[], b: Word): Word | undefined {
  switch (op) {
    case 'i32.xor':
      return ofBits(x.map((bit, i) => bits.xor(bit, y[i]!)));
    case 'i32.and':
      if (x.some((bit, i) => bit > 1 && y[i]! > 1)) return undefined;
      return ofBits(x.map((bit, i) => (bit === 0 || y[i] === 0 ? 0 : bit === 1 ? y[i]! : bit)));
    case 'i32.or':
      if (x.some((bit, i) => bit > 1 && y[i]! > 1)) return undefined;
      return ofBits(x.map((bit, i) => (bit === 1 || y[i] === 1 ? 1 : bit === 0 ? y[i]! : bit)));
  }
  if (!isNumber(b)) return undefined;
  const by = b & 31;
  switch (op) {
    case 'i32.shl':
      return ofBits(x.map((_, i) => (i < by ? 0 : x[i - by]!)));
    case 'i32.shr_u':
      return ofBits(x.map((_, i) => x[i + by] ?? 0));
    case 'i32.shr_s':
      return ofBits(x.map((_, i) => x[i + by] ?? x[31]!));
    case 'i32.mul':
      // This is one bit times a number.
      return x.every((bit, i) => i === 0 || bit === 0)
        ? ofBits(x.map((_, i) => ((b >>> i) & 1 ? x[0]! : 0)))
        : undefined;
  }
  return undefined;
}

function asPlace(word: Word): Place | undefined {
  return isNumber(word) || word.kind === 'place' ? word : undefined;
}

function ofPlaces(op: string, a: Word, b: Word): Word | undefined {
  const [x, y] = [asPlace(a), asPlace(b)];
  if (x === undefined || y === undefined) return undefined;
  if (op === 'i32.add' && isNumber(y) && !isNumber(x)) return { ...x, plus: x.plus + y };
  if (op === 'i32.add' && isNumber(x) && !isNumber(y)) return { ...y, plus: y.plus + x };
  if (op === 'i32.add' && !isNumber(x) && !isNumber(y))
    return { kind: 'place', name: [x.name, y.name].sort().join(' + '), plus: x.plus + y.plus };
  if (op === 'i32.sub' && isNumber(y) && !isNumber(x)) return { ...x, plus: x.plus - y };
  if (op === 'i32.lt_s') return { kind: 'less', places: [x, y] };
  return op === 'i32.gt_s' ? { kind: 'less', places: [y, x] } : undefined;
}
