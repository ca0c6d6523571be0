// Executes the module above its field functions, which stand for themselves, on elements that are polynomials
// modulo p with bounds of their limbs. Values that depend on other bytes are unknown, and a branch on such a
// value goes each way in one run.

import { compute } from '../wasm/compute.js';
import type { Domain } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { modulo } from './curve.js';
import { type Bounds, type FieldFunctions, LIMBS } from './field-functions.js';
import type { Polynomial } from './polynomial.js';
import * as polynomial from './polynomial.js';
import { require } from './values.js';

/** An element: its value modulo p, undefined if only bounds are followed. */
interface Element {
  value: Polynomial | undefined;
  bounds: Bounds;
}

/** A part of an element, 8 of its 40 bytes. */
interface Part {
  element: Element;
  index: number;
}

export const UNKNOWN: unique symbol = Symbol('unknown');

export type PointValue = bigint | Part | typeof UNKNOWN;

const FIELD_FUNCTIONS = [
  'multiplyField',
  'squareField',
  'squareFieldTwice',
  'addField',
  'subtractField',
  'addAndSubtractField',
  'negateFieldIf',
  'decodeField',
  'encodeField',
  'isZeroField',
] as const;

export const isWithin = (inner: Bounds, outer: Bounds) =>
  inner.every(([low, high], i) => low >= outer[i]![0] && high <= outer[i]![1]);

export function hull(...all: Bounds[]): Bounds {
  return all[0]!.map((_, i) => {
    const limbs = all.map(bounds => bounds[i]!);
    const low = limbs.map(limb => limb[0]).reduce((a, b) => (a < b ? a : b));
    const high = limbs.map(limb => limb[1]).reduce((a, b) => (a > b ? a : b));
    return [low, high] as const;
  });
}

const negated = (bounds: Bounds): Bounds => bounds.map(([low, high]) => [-high, -low] as const);

/** Result of decodeField, as proved. */
export const DECODED: Bounds = Array.from(
  { length: LIMBS },
  (_, i) => [0n, 2n ** (i % 2 ? 25n : 26n) - 1n] as const,
);

/** Coefficients modulo p. */
export function reduced(value: Polynomial): Polynomial {
  return new Map(
    [...value].flatMap(([monomial, c]) => (modulo(c) === 0n ? [] : [[monomial, modulo(c)] as const])),
  );
}

export interface PointOptions {
  /** Elements within these bounds may be encoded, as proved. */
  encodable: Bounds;
  /** The destination of squareFieldTwice. */
  squareTwiceOut: number;
  /** Replaces other functions, by name; undefined runs their code. */
  replaced?: (name: string, parameters: PointValue[], domain: PointDomain) => PointValue[] | undefined;
  /** The branch taken at each unknown condition. */
  choices?: boolean[];
  /** Whether to follow values in addition to bounds. */
  withValues: boolean;
}

export class PointDomain implements Domain<PointValue> {
  /** Number of branches on unknown conditions so far. */
  branches = 0;
  /** Number of calls of field functions so far. */
  calls = 0;
  private readonly module: WasmModule;
  private readonly field: FieldFunctions;
  private readonly options: PointOptions;
  private readonly memory = new Map<number, PointValue>();
  private readonly names = new Map<number, (typeof FIELD_FUNCTIONS)[number]>();

  constructor(module: WasmModule, field: FieldFunctions, options: PointOptions) {
    this.module = module;
    this.field = field;
    this.options = options;
    for (const name of FIELD_FUNCTIONS) this.names.set(functionIndex(module, name), name);
  }

  constant(value: bigint): PointValue {
    return value;
  }

  putElement(address: number, element: Element): void {
    for (let index = 0; index < 5; index++) this.memory.set(address + 8 * index, { element, index });
  }

  getElement(address: number): Element {
    const first = this.memory.get(address);
    if (typeof first === 'object') {
      for (let index = 0; index < 5; index++) {
        const part = this.memory.get(address + 8 * index);
        require(typeof part === 'object' &&
          part.element === first.element &&
          part.index === index, 'a torn element');
      }
      return first.element;
    }
    const limbs = Array.from({ length: LIMBS }, (_, i) => this.word(address + 4 * i));
    const value = limbs.reduce((sum, limb, i) => sum + (limb << BigInt(Math.ceil(25.5 * i))), 0n);
    return { value: polynomial.constant(modulo(value)), bounds: limbs.map(limb => [limb, limb] as const) };
  }

  load(op: string, address: PointValue, offset: number): PointValue {
    const at = this.place(address) + offset;
    const found = this.memory.get(at);
    if (typeof found === 'object') {
      require(op === 'i64.load', `${op} of an element`);
      return found;
    }
    if (found === undefined || typeof found === 'symbol') return found ?? this.constantAt(op, at);
    if (op === 'i32.load8_s') return BigInt.asIntN(8, found);
    require(/^i(32|64)\.load(8_u|32_u|)$/.test(op), `${op} of a known value`);
    return found;
  }

  store(op: string, address: PointValue, offset: number, value: PointValue): void {
    const at = this.place(address) + offset;
    if (op === 'i64.store' && typeof value === 'bigint') this.memory.set(at + 4, value >> 32n);
    this.memory.set(at, op === 'i32.store8' && typeof value === 'bigint' ? value & 255n : value);
  }

  fill(to: PointValue, value: PointValue, length: PointValue): void {
    require(value === 0n, 'memory is filled with another value than 0');
    for (let i = 0; i < this.place(length); i++) this.memory.set(this.place(to) + i, 0n);
  }

  copy(): void {}

  put(address: number, value: PointValue): void {
    this.memory.set(address, value);
  }

  decide(condition: PointValue): boolean {
    if (typeof condition === 'bigint') return condition !== 0n;
    return this.options.choices?.[this.branches++] ?? false;
  }

  select(condition: PointValue, whole: PointValue, other: PointValue): PointValue {
    if (typeof condition === 'bigint') return condition !== 0n ? whole : other;
    return UNKNOWN;
  }

  apply(op: string, operands: PointValue[]): PointValue {
    if (operands.every(each => typeof each === 'bigint')) return compute(op, operands);
    return UNKNOWN;
  }

  call(index: number, parameters: PointValue[]): PointValue[] | undefined {
    const name = this.names.get(index);
    if (name) return this.callField(name, parameters);
    const full = this.module.functions[index]!.name;
    return this.options.replaced?.(full.slice(full.lastIndexOf('/') + 1), parameters, this);
  }

  private callField(name: (typeof FIELD_FUNCTIONS)[number], parameters: PointValue[]): PointValue[] {
    this.calls++;
    if (name === 'negateFieldIf') return this.negate(parameters);
    const places = parameters.map(value => this.place(value));
    const [out = 0, a = 0, b = 0, c = 0] = places;
    if (name === 'decodeField') this.putElement(out, this.decoded());
    else if (name === 'encodeField') this.encode(out, a);
    else if (name === 'isZeroField') return this.isZero(out);
    else if (name === 'squareFieldTwice') this.compute(name, this.options.squareTwiceOut, [out]);
    else if (name === 'squareField') this.compute(name, out, [a]);
    else if (name === 'addAndSubtractField') {
      const operands = [b, c].map(at => this.getElement(at));
      this.computeFrom('addField', out, operands);
      this.computeFrom('subtractField', a, operands);
    } else this.compute(name, out, [a, b]);
    return [];
  }

  private compute(name: string, out: number, from: number[]): void {
    this.computeFrom(
      name,
      out,
      from.map(at => this.getElement(at)),
    );
  }

  private computeFrom(name: string, out: number, operands: Element[]): void {
    const bounds = this.field.bounds(
      name,
      operands.map(each => each.bounds),
    );
    this.putElement(out, { value: this.valueOf(name, operands), bounds });
  }

  private valueOf(name: string, operands: Element[]): Polynomial | undefined {
    const [a, b = a] = operands.map(each => each.value);
    if (!this.options.withValues || !a || !b) return undefined;
    if (name === 'addField') return reduced(polynomial.add(a, b));
    if (name === 'subtractField') return reduced(polynomial.add(a, b, -1n));
    const product = polynomial.multiply(a, b);
    return reduced(name === 'squareFieldTwice' ? polynomial.scale(product, 2n) : product);
  }

  private negate([out, mask]: PointValue[]): PointValue[] {
    const at = this.place(out!);
    const { value, bounds } = this.getElement(at);
    if (mask === 0n) return [];
    if (typeof mask === 'bigint') {
      this.putElement(at, { value: value && reduced(polynomial.scale(value, -1n)), bounds: negated(bounds) });
      return [];
    }
    // The sign is unknown: the value keeps its own, which `sign` below compares up to sign.
    this.putElement(at, { value, bounds: hull(bounds, negated(bounds)) });
    return [];
  }

  private decoded(): Element {
    return { value: this.options.withValues ? polynomial.symbol(0) : undefined, bounds: DECODED };
  }

  private encode(out: number, a: number): void {
    require(isWithin(
      this.getElement(a).bounds,
      this.options.encodable,
    ), 'encodeField is given a larger element');
    for (let i = 0; i < 32; i++) this.memory.set(out + i, UNKNOWN);
  }

  private isZero(a: number): PointValue[] {
    require(isWithin(
      this.getElement(a).bounds,
      this.options.encodable,
    ), 'isZeroField is given a larger element');
    return [UNKNOWN];
  }

  private constantAt(op: string, at: number): PointValue {
    const view = new DataView(this.module.memory.buffer);
    if (op === 'i64.load') return at < 9536 ? view.getBigUint64(at, true) : UNKNOWN;
    return UNKNOWN;
  }

  private word(address: number): bigint {
    const found = this.memory.get(address);
    if (typeof found === 'bigint') return BigInt.asIntN(32, found);
    require(found === undefined, 'an element of unknown bytes');
    return BigInt(new DataView(this.module.memory.buffer).getInt32(address, true));
  }

  private place(address: PointValue): number {
    require(typeof address === 'bigint', 'an address is unknown');
    return Number(address & 0xffffffffn);
  }
}
