// Proves the functions on field elements for all inputs within bounds: no result overflows its type, and each
// value is correct modulo p.
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { ArithmeticDomain } from './arithmetic-domain.js';
import { P } from './curve.js';
import type { Polynomial } from './polynomial.js';
import * as polynomial from './polynomial.js';
import { exact, type Integer, known, require, type Value } from './values.js';

export const LIMBS = 10;
const WEIGHTS = Array.from({ length: LIMBS }, (_, i) => 1n << BigInt(Math.ceil(25.5 * i)));
const bitsOf = (limb: number) => (limb % 2 === 0 ? 26n : 25n);

/** Bounds of each limb of an element. */
export type Bounds = readonly (readonly [bigint, bigint])[];

/**
 * Bounds of 1.53 times a limb's size, 2^26 or 2^25: the largest operand is a sum of a decoded element and a
 * product.
 */
export const OPERAND: Bounds = Array.from({ length: LIMBS }, (_, i) => {
  const size = (2n ** bitsOf(i) * 153n) / 100n;
  return [-size, size] as const;
});

/** Addresses above the module's own memory. */
const SLOTS = { out: 40000, a: 41000, b: 42000, second: 43000 };

/** The correct result of each function for its operands, of which it has as many as parameters here. */
const VALUES: Record<string, (a: Polynomial, b: Polynomial) => Polynomial> = {
  multiplyField: polynomial.multiply,
  squareField: a => polynomial.multiply(a, a),
  squareFieldTwice: a => polynomial.scale(polynomial.multiply(a, a), 2n),
  addField: polynomial.add,
  subtractField: (a, b) => polynomial.add(a, b, -1n),
};

function fieldValue(limbs: readonly Integer[]): Polynomial {
  return limbs.reduce((sum, limb, i) => polynomial.add(sum, limb.polynomial, WEIGHTS[i]!), polynomial.ZERO);
}

export class FieldFunctions {
  readonly module: WasmModule;
  /** Number of range checks. */
  checks = 0;
  readonly peaks = { i32: 0n, i64: 0n };
  readonly #results = new Map<string, Bounds>();

  constructor(module: WasmModule) {
    this.module = module;
  }

  /** Returns the bounds of a function's results for these operands, and proves that nothing overflows. */
  bounds(name: string, operands: Bounds[]): Bounds {
    const limbs = operands.flat().map(([low, high]) => `${low}:${high}`);
    const key = `${name} ${limbs.join()}`;
    let result = this.#results.get(key);
    if (!result) {
      result = this.#run(name, operands, [SLOTS.a, SLOTS.b], SLOTS.out).map(
        limb => [limb.low, limb.high] as const,
      );
      this.#results.set(key, result);
    }
    return result;
  }

  /** Proves a function's result for each overlap of its result and operands. */
  prove(name: string, operands: Bounds[]): void {
    const places =
      VALUES[name]!.length === 1
        ? [[SLOTS.a]]
        : [
            [SLOTS.a, SLOTS.b],
            [SLOTS.a, SLOTS.a],
          ];
    for (const from of places) {
      for (const to of new Set([SLOTS.out, ...from])) this.#proveAt(name, operands, from, to);
    }
  }

  #proveAt(name: string, operands: Bounds[], from: number[], to: number): void {
    const elements = new Map<number, Integer[]>();
    const limbs = this.#run(name, operands, from, to, elements);
    const [a, b = a] = from.map(address => fieldValue(elements.get(address)!)) as [Polynomial, Polynomial?];
    const difference = polynomial.add(fieldValue(limbs), VALUES[name]!(a, b), -1n);
    require(polynomial.isMultiple(difference, P), `${name} has a wrong value modulo p`);
  }

  #run(
    name: string,
    operands: Bounds[],
    from: number[],
    to: number,
    elements = new Map<number, Integer[]>(),
  ): Integer[] {
    const domain = new ArithmeticDomain(this.module, { strict: true });
    const read = from.slice(0, VALUES[name]!.length);
    read.forEach((address, n) => {
      if (!elements.has(address)) elements.set(address, putElement(domain, address, operands[n]!));
    });
    const index = functionIndex(this.module, name);
    const places = [to, ...read];
    const fixed = fixedOut(this.module, index, places.length);
    const parameters = fixed === undefined ? places : places.slice(1);
    new Machine<Value>(this.module, domain).call(index, parameters.map(BigInt).map(exact));
    this.#count(domain);
    return takeElement(domain, fixed ?? to);
  }

  /**
   * Proves addAndSubtractField(sum, difference, a, b) as it is called: with and without overlap of results
   * and operands.
   */
  proveAddAndSubtract(bounds: Bounds): void {
    const index = functionIndex(this.module, 'addAndSubtractField');
    for (const [sum, difference] of [
      [SLOTS.out, SLOTS.second],
      [SLOTS.a, SLOTS.second],
      [SLOTS.out, SLOTS.a],
      [SLOTS.b, SLOTS.a],
      [SLOTS.a, SLOTS.b],
    ] as const) {
      const domain = new ArithmeticDomain(this.module, { strict: true });
      const [a, b] = [SLOTS.a, SLOTS.b].map(at => fieldValue(putElement(domain, at, bounds))) as [
        Polynomial,
        Polynomial,
      ];
      const parameters = [sum, difference, SLOTS.a, SLOTS.b].map(BigInt).map(exact);
      new Machine<Value>(this.module, domain).call(index, parameters);
      this.#count(domain);
      for (const [at, sign] of [
        [sum, 1n],
        [difference, -1n],
      ] as const) {
        const wrong = polynomial.add(fieldValue(takeElement(domain, at)), polynomial.add(a, b, sign), -1n);
        require(polynomial.isMultiple(wrong, P), 'addAndSubtractField has a wrong value');
      }
    }
  }

  /** Proves negateFieldIf for both masks. */
  proveNegate(bounds: Bounds): void {
    const index = functionIndex(this.module, 'negateFieldIf');
    for (const mask of [0n, -1n]) {
      const domain = new ArithmeticDomain(this.module, { strict: true });
      const value = fieldValue(putElement(domain, SLOTS.a, bounds));
      new Machine<Value>(this.module, domain).call(index, [exact(BigInt(SLOTS.a)), exact(mask)]);
      this.#count(domain);
      const wrong = polynomial.add(fieldValue(takeElement(domain, SLOTS.a)), value, mask === 0n ? -1n : 1n);
      require(wrong.size === 0, 'negateFieldIf has a wrong value');
    }
  }

  /** Proves that decodeField reads exactly the low 255 bits, into non-negative limbs. */
  proveDecode(): void {
    const index = functionIndex(this.module, 'decodeField');
    for (const to of [SLOTS.out, SLOTS.a]) {
      const domain = new ArithmeticDomain(this.module, { strict: false });
      let value = polynomial.ZERO;
      for (let i = 0; i < 4; i++) {
        const word = domain.algebra.symbol(0n, (1n << 64n) - 1n);
        domain.put(SLOTS.a + 8 * i, 8, word);
        value = polynomial.add(value, word.polynomial, 1n << BigInt(64 * i));
      }
      const top = domain.algebra.quotient(domain.algebra.toInteger(domain.get(SLOTS.a + 24, 8)), 63n);
      new Machine<Value>(this.module, domain).call(index, [exact(BigInt(to)), exact(BigInt(SLOTS.a))]);
      const limbs = takeElement(domain, to);
      const right = polynomial.add(value, top.polynomial, -(1n << 255n));
      const wrong = polynomial.add(domain.algebra.expand(fieldValue(limbs)), right, -1n);
      require(wrong.size === 0, 'decodeField has a wrong value');
      limbs.forEach((limb, i) => {
        require(limb.low >= 0n && limb.high < 1n << bitsOf(i), 'decodeField has a limb that is too large');
      });
    }
  }

  /**
   * Proves that encodeField writes the representative below p, which is R for A = Q·p + R.
   *
   * Each carry is the floor of a floor, so the carries together give one quotient, ⌊(A + c) / 2^255⌋, for the
   * rounded start c = ⌊19·a9 / 2^25 + 1/2⌋. The function writes (A + 19 · quotient) mod 2^255.
   *
   * With A = 2^230·a9 + A', c = ⌊19Q + δ + 1/2⌋ for δ = 19(R − 19Q)/2^255 − 19·A'/2^255. If −1/2 ≤ δ < 19
   * 1/2, then c − 19Q is from 0 to 19, and 0 ≤ R + c − 19Q < 2^255. So the quotient is Q, and A + 19Q =
   * 2^255·Q + R.
   */
  proveEncode(bounds: Bounds): void {
    const stores: number[] = [];
    const domain = new ArithmeticDomain(this.module, {
      strict: false,
      stored: address => stores.push(address),
    });
    const { algebra } = domain;
    const limbs = putElement(domain, SLOTS.a, bounds);
    const value = fieldValue(limbs);
    const index = functionIndex(this.module, 'encodeField');
    new Machine<Value>(this.module, domain).call(index, [exact(BigInt(SLOTS.out)), exact(BigInt(SLOTS.a))]);
    require(domain.peaks.i32 < 1n << 31n, 'a value in encodeField does not fit i32');
    domain.peaks.i64 = 0n; // packing shifts limbs out of the word on purpose
    this.#count(domain);
    const scratch = stores.filter(address => address < SLOTS.out || address >= SLOTS.out + 32);
    require(Math.max(...scratch) - Math.min(...scratch) <
      4 * LIMBS, 'encodeField writes outside its result and its scratch memory');
    let written = polynomial.ZERO;
    for (let i = 0; i < 4; i++) {
      const word = algebra.toInteger(domain.get(SLOTS.out + 8 * i, 8));
      written = polynomial.add(written, word.polynomial, 1n << BigInt(64 * i));
    }
    const chain = (start: Polynomial, low: bigint, high: bigint) =>
      limbs.reduce(
        (carry, limb, i) => algebra.quotient(algebra.add(carry, limb), bitsOf(i)),
        algebra.integer(start, low, high),
      );
    const last = limbs[9]!;
    const rounded = algebra.add(
      algebra.multiply(algebra.toInteger(exact(19n)), last),
      algebra.toInteger(exact(1n << 24n)),
    );
    const start = algebra.quotient(rounded, 25n);
    const quotient = chain(start.polynomial, start.low, start.high);
    const nineteen = algebra.multiply(algebra.toInteger(exact(19n)), quotient);
    const dropped = chain(nineteen.polynomial, nineteen.low, nineteen.high);
    const whole = polynomial.add(value, nineteen.polynomial);
    const right = polynomial.add(whole, dropped.polynomial, -(1n << 255n));
    const wrong = polynomial.add(algebra.expand(written), algebra.expand(right), -1n);
    require(wrong.size === 0, 'encodeField does not write (A + 19 · quotient) mod 2^255');
    proveRounding(bounds);
  }

  #count(domain: ArithmeticDomain): void {
    this.checks += domain.checks;
    for (const type of ['i32', 'i64'] as const) {
      if (domain.peaks[type] > this.peaks[type]) this.peaks[type] = domain.peaks[type];
    }
  }
}

/**
 * Proves −1/2 ≤ δ < 19 1/2 for all elements within the bounds (see proveEncode). All values here are
 * multiplied by 2^256.
 */
function proveRounding(bounds: Bounds): void {
  const size = ([low, high]: readonly [bigint, bigint]) => (-low > high ? -low : high);
  const sizes = bounds.map(size);
  const below = sizes.slice(0, 9).reduce((sum, each, i) => sum + each * WEIGHTS[i]!, 0n);
  const largest = below + sizes[9]! * WEIGHTS[9]!;
  const quotient = largest / P + 1n;
  const half = 1n << 255n;
  const uncertainty = 2n * (19n * below + 19n * 19n * quotient);
  require(uncertainty <= half, 'encodeField: δ may be below −1/2');
  require(2n * 19n * (P - 1n) + uncertainty < 39n * half, 'encodeField: δ may reach 19 1/2');
}

function putElement(domain: ArithmeticDomain, address: number, bounds: Bounds): Integer[] {
  return bounds.map(([low, high], i) => {
    const limb = domain.algebra.symbol(low, high);
    domain.put(address + 4 * i, 4, limb);
    return limb;
  });
}

function takeElement(domain: ArithmeticDomain, address: number): Integer[] {
  return Array.from({ length: LIMBS }, (_, i) => domain.algebra.toInteger(domain.get(address + 4 * i, 4)));
}

/**
 * Returns the address to which a function always writes, if compilation removed its parameter for the result
 * because all callers pass the same address. Undefined if the function still has this parameter.
 */
function fixedOut(module: WasmModule, index: number, expected: number): number | undefined {
  const { parameters, code } = module.functions[index]!;
  if (parameters === expected) return undefined;
  require(parameters === expected - 1, 'compilation removed more than one parameter of a field function');
  const stores: number[] = [];
  const domain = new ArithmeticDomain(module, { strict: false, stored: address => stores.push(address) });
  for (let i = 0; i < LIMBS; i++) domain.put(SLOTS.a + 4 * i, 4, exact(0n));
  new Machine<Value>(module, domain).call(index, [exact(BigInt(SLOTS.a))]);
  require(code.length > 0 &&
    known(domain.get(Math.min(...stores), 4)) === 0n, 'a field function does not write a result');
  return Math.min(...stores);
}
