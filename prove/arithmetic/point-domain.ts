// Executes the functions that call the field functions, and replaces each field function by the result that
// was proved for it. Elements are polynomials modulo p with bounds of their limbs. A value that depends on
// other bytes is unknown, and each run chooses one outcome of every branch on an unknown value.

import { compute } from '../wasm/compute.js';
import type { Domain } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { modulo } from './curve.js';
import { type Bounds, type FieldFunctions, LIMBS } from './field-functions.js';
import type { Polynomial } from './polynomial.js';
import * as polynomial from './polynomial.js';
import { require } from './values.js';

/** A field element. Its value modulo p is undefined if the proof follows only bounds. */
interface Element {
  value: Polynomial | undefined;
  bounds: Bounds;
}

/** A part of an element: 8 of its 40 bytes. */
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

/** Returns the smallest bounds that contain all of these bounds. */
export function enclosing(...all: Bounds[]): Bounds {
  return all[0]!.map((_, i) => {
    const limbs = all.map(bounds => bounds[i]!);
    const low = limbs.map(limb => limb[0]).reduce((a, b) => (a < b ? a : b));
    const high = limbs.map(limb => limb[1]).reduce((a, b) => (a > b ? a : b));
    return [low, high] as const;
  });
}

export const negated = (bounds: Bounds): Bounds => bounds.map(([low, high]) => [-high, -low] as const);

/** Bounds of the limbs that decodeField writes; FieldFunctions proves them. */
export const DECODED: Bounds = Array.from(
  { length: LIMBS },
  (_, i) => [0n, 2n ** (i % 2 ? 25n : 26n) - 1n] as const,
);

/** Returns the polynomial with its coefficients reduced modulo p. */
export function reduced(value: Polynomial): Polynomial {
  return new Map(
    [...value].flatMap(([monomial, c]) => (modulo(c) === 0n ? [] : [[monomial, modulo(c)] as const])),
  );
}

export interface PointOptions {
  /** Bounds of the elements for which encodeField is proved. */
  encodable: Bounds;
  /** The destination of squareFieldTwice. */
  squareTwiceOut: number;
  /** Replaces other functions, by name; if it returns undefined, the function's code runs. */
  replaced?: (name: string, parameters: PointValue[], domain: PointDomain) => PointValue[] | undefined;
  /** The outcome chosen at each branch on an unknown value. */
  choices?: boolean[];
  /** Whether to follow values in addition to bounds. */
  withValues: boolean;
}

export class PointDomain implements Domain<PointValue> {
  /** Number of branches on unknown conditions so far. */
  branches = 0;
  /** Number of calls of field functions so far. */
  calls = 0;
  readonly #module: WasmModule;
  readonly #field: FieldFunctions;
  readonly #options: PointOptions;
  readonly #memory = new Map<number, PointValue>();
  readonly #names = new Map<number, (typeof FIELD_FUNCTIONS)[number]>();

  constructor(module: WasmModule, field: FieldFunctions, options: PointOptions) {
    this.#module = module;
    this.#field = field;
    this.#options = options;
    for (const name of FIELD_FUNCTIONS) this.#names.set(functionIndex(module, name), name);
  }

  constant(value: bigint): PointValue {
    return value;
  }

  putElement(address: number, element: Element): void {
    for (let index = 0; index < 5; index++) this.#memory.set(address + 8 * index, { element, index });
  }

  getElement(address: number): Element {
    const first = this.#memory.get(address);
    if (typeof first === 'object') {
      for (let index = 0; index < 5; index++) {
        const part = this.#memory.get(address + 8 * index);
        require(typeof part === 'object' &&
          part.element === first.element &&
          part.index === index, 'the bytes of an element belong to different elements');
      }
      return first.element;
    }
    const limbs = Array.from({ length: LIMBS }, (_, i) => this.#word(address + 4 * i));
    const value = limbs.reduce((sum, limb, i) => sum + (limb << BigInt(Math.ceil(25.5 * i))), 0n);
    return { value: polynomial.constant(modulo(value)), bounds: limbs.map(limb => [limb, limb] as const) };
  }

  load(op: string, address: PointValue, offset: number): PointValue {
    const at = this.#place(address) + offset;
    const found = this.#memory.get(at);
    if (typeof found === 'object') {
      require(op === 'i64.load', `an element is loaded with ${op}, not with i64.load`);
      return found;
    }
    if (found === undefined || typeof found === 'symbol') return found ?? this.#constantAt(op, at);
    if (op === 'i32.load8_s') return BigInt.asIntN(8, found);
    require(/^i(32|64)\.load(8_u|32_u|)$/.test(op), `${op} is not supported on a known value`);
    return found;
  }

  store(op: string, address: PointValue, offset: number, value: PointValue): void {
    const at = this.#place(address) + offset;
    if (op === 'i64.store' && typeof value === 'bigint') this.#memory.set(at + 4, value >> 32n);
    this.#memory.set(at, op === 'i32.store8' && typeof value === 'bigint' ? value & 255n : value);
  }

  fill(to: PointValue, value: PointValue, length: PointValue): void {
    require(value === 0n, 'memory is filled with a value other than 0');
    for (let i = 0; i < this.#place(length); i++) this.#memory.set(this.#place(to) + i, 0n);
  }

  copy(): void {}

  put(address: number, value: PointValue): void {
    this.#memory.set(address, value);
  }

  decide(condition: PointValue): boolean {
    if (typeof condition === 'bigint') return condition !== 0n;
    return this.#options.choices?.[this.branches++] ?? false;
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
    const name = this.#names.get(index);
    if (name) return this.#callField(name, parameters);
    const full = this.#module.functions[index]!.name;
    return this.#options.replaced?.(full.slice(full.lastIndexOf('/') + 1), parameters, this);
  }

  #callField(name: (typeof FIELD_FUNCTIONS)[number], parameters: PointValue[]): PointValue[] {
    this.calls++;
    if (name === 'negateFieldIf') return this.#negate(parameters);
    const places = parameters.map(value => this.#place(value));
    const [out = 0, a = 0, b = 0, c = 0] = places;
    if (name === 'decodeField') this.putElement(out, this.#decoded());
    else if (name === 'encodeField') this.#encode(out, a);
    else if (name === 'isZeroField') return this.#isZero(out);
    else if (name === 'squareFieldTwice') this.#compute(name, this.#options.squareTwiceOut, [out]);
    else if (name === 'squareField') this.#compute(name, out, [a]);
    else if (name === 'addAndSubtractField') {
      const operands = [b, c].map(at => this.getElement(at));
      this.#computeFrom('addField', out, operands);
      this.#computeFrom('subtractField', a, operands);
    } else this.#compute(name, out, [a, b]);
    return [];
  }

  #compute(name: string, out: number, from: number[]): void {
    this.#computeFrom(
      name,
      out,
      from.map(at => this.getElement(at)),
    );
  }

  #computeFrom(name: string, out: number, operands: Element[]): void {
    const bounds = this.#field.bounds(
      name,
      operands.map(each => each.bounds),
    );
    this.putElement(out, { value: this.#valueOf(name, operands), bounds });
  }

  #valueOf(name: string, operands: Element[]): Polynomial | undefined {
    const [a, b = a] = operands.map(each => each.value);
    if (!this.#options.withValues || !a || !b) return undefined;
    if (name === 'addField') return reduced(polynomial.add(a, b));
    if (name === 'subtractField') return reduced(polynomial.add(a, b, -1n));
    const product = polynomial.multiply(a, b);
    return reduced(name === 'squareFieldTwice' ? polynomial.scale(product, 2n) : product);
  }

  #negate([out, mask]: PointValue[]): PointValue[] {
    const at = this.#place(out!);
    const { value, bounds } = this.getElement(at);
    if (mask === 0n) return [];
    if (typeof mask === 'bigint') {
      this.putElement(at, { value: value && reduced(polynomial.scale(value, -1n)), bounds: negated(bounds) });
      return [];
    }
    // The sign is unknown. The value keeps its sign here, and `proveRoot` accepts either sign.
    this.putElement(at, { value, bounds: enclosing(bounds, negated(bounds)) });
    return [];
  }

  #decoded(): Element {
    return { value: this.#options.withValues ? polynomial.symbol(0) : undefined, bounds: DECODED };
  }

  #encode(out: number, a: number): void {
    require(isWithin(
      this.getElement(a).bounds,
      this.#options.encodable,
    ), 'encodeField is called with an element outside its bounds');
    for (let i = 0; i < 32; i++) this.#memory.set(out + i, UNKNOWN);
  }

  #isZero(a: number): PointValue[] {
    require(isWithin(
      this.getElement(a).bounds,
      this.#options.encodable,
    ), 'isZeroField is called with an element outside its bounds');
    return [UNKNOWN];
  }

  #constantAt(op: string, at: number): PointValue {
    const view = new DataView(this.#module.memory.buffer);
    if (op === 'i64.load') return at < 9536 ? view.getBigUint64(at, true) : UNKNOWN;
    return UNKNOWN;
  }

  #word(address: number): bigint {
    const found = this.#memory.get(address);
    if (typeof found === 'bigint') return BigInt.asIntN(32, found);
    require(found === undefined, 'a word of an element is unknown');
    return BigInt(new DataView(this.#module.memory.buffer).getInt32(address, true));
  }

  #place(address: PointValue): number {
    require(typeof address === 'bigint', 'an address is unknown');
    return Number(address & 0xffffffffn);
  }
}
