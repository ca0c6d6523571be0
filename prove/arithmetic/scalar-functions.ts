// Proves the functions on scalars for all inputs: each result is correct modulo the group order L, and below
// L.
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { ArithmeticDomain } from './arithmetic-domain.js';
import { L, power } from './curve.js';
import type { Polynomial } from './polynomial.js';
import * as polynomial from './polynomial.js';
import { exact, type Integer, known, require, type Value } from './values.js';

const WORDS = 8;
const WORD = 1n << 32n;
const FULL = WORD ** 8n;

const SLOTS = { out: 40000, a: 41000, b: 42000 };

/** Σ 2^(32 i) · word i */
function numberOf(words: readonly Integer[]): Polynomial {
  return words.reduce(
    (sum, word, i) => polynomial.add(sum, word.polynomial, WORD ** BigInt(i)),
    polynomial.ZERO,
  );
}

function putNumber(domain: ArithmeticDomain, address: number): Polynomial {
  const words = Array.from({ length: WORDS }, (_, i) => {
    const word = domain.algebra.symbol(0n, WORD - 1n);
    domain.put(address + 4 * i, 4, word);
    return word;
  });
  return numberOf(words);
}

function takeNumber(domain: ArithmeticDomain, address: number): Polynomial {
  const words = Array.from({ length: WORDS }, (_, i) =>
    domain.algebra.toInteger(domain.get(address + 4 * i, 4)),
  );
  return domain.algebra.expand(numberOf(words));
}

/** Returns the number in eight words, if every word is known. */
function knownNumber(domain: ArithmeticDomain, address: number): bigint | undefined {
  const words = Array.from({ length: WORDS }, (_, i) => known(domain.get(address + 4 * i, 4)));
  return words.reduceRight<bigint | undefined>(
    (sum, word) => (sum === undefined || word === undefined ? undefined : sum * WORD + word),
    0n,
  );
}

/** number / 2^256 modulo L */
function divideByFull(number: bigint): bigint {
  return (number * power(FULL, L - 2n, L)) % L;
}

/** Returns a function that throws for a store outside `length` bytes from `start`. */
function within(start: number, length: number): (address: number) => void {
  return address =>
    require(address >= start && address < start + length, 'a scalar function writes outside its result');
}

export class ScalarFunctions {
  readonly #module: WasmModule;
  readonly #subtract: number;
  /** Address of a word that is discarded; the sum of two scalars or products follows it. */
  readonly #sum: number;
  /** Address of L, a constant of the module's code. */
  readonly #order: number;

  constructor(module: WasmModule) {
    this.#module = module;
    this.#subtract = functionIndex(module, 'subtractOrderOnce');
    [this.#sum, this.#order] = this.#findPlaces();
  }

  proveAll(): void {
    require(this.#readNumber(this.#order) === L, 'ORDER is not the group order');
    this.#proveSubtract();
    this.#proveAdd();
    this.#proveMontgomery();
    this.#proveReduce();
  }

  /**
   * Proves that subtractOrderOnce writes S − L if L ≤ S < 2L, and S if S < L. The result is
   * S − L − b·2^256 − b·L − c·2^256 for the borrow b, which is −1 or 0, and a last carry c. If b = 0, S − L
   * is from 0 to L, so c = 0. If b = −1, the result is S + 2^256 − c·2^256, which must be below 2^256, so c =
   * 1.
   */
  #proveSubtract(): void {
    const domain = new ArithmeticDomain(this.#module, { strict: false, stored: within(SLOTS.out, 32) });
    const total = putNumber(domain, this.#sum + 4);
    new Machine<Value>(this.#module, domain).call(this.#subtract, [exact(BigInt(SLOTS.out))]);
    const written = takeNumber(domain, SLOTS.out);
    const rest = polynomial.add(written, polynomial.add(total, polynomial.constant(L), -1n), -1n);
    const carries = [...polynomial.terms(rest)];
    require(carries.length === 2, 'subtractOrderOnce writes a wrong value');
    const [borrow, carry] = [FULL + L, FULL].map(weight => {
      const found = carries.find(([symbols, coefficient]) => symbols.length === 1 && coefficient === -weight);
      require(found !== undefined, 'subtractOrderOnce writes a wrong value');
      return domain.algebra.bounds[found[0][0]!]!;
    }) as [[bigint, bigint], [bigint, bigint]];
    require(borrow[0] === -1n && borrow[1] === 0n, 'the borrow is neither −1 nor 0');
    require(carry[0] >= 0n, 'the carry is negative');
    require(2n * L <= FULL, 'twice the order does not fit in 256 bits');
  }

  /**
   * Proves that addScalar adds a and b, both below L, at SCALAR_SUM, and subtracts the order once. No carry
   * is lost, because 2L fits.
   */
  #proveAdd(): void {
    const called: number[] = [];
    const domain = this.#domainThatStops(called, within(this.#sum + 4, 32));
    const [a, b] = [putNumber(domain, SLOTS.a), putNumber(domain, SLOTS.b)];
    this.#run(domain, 'addScalar', [SLOTS.out, SLOTS.a, SLOTS.b]);
    const rest = polynomial.add(polynomial.add(a, b), takeNumber(domain, this.#sum + 4), -1n);
    require(called.length === 1 &&
      called[0] === SLOTS.out, 'addScalar does not subtract the order exactly once');
    const [[symbols, coefficient] = [[], 0n], ...others] = [...polynomial.terms(rest)];
    require(others.length === 0 &&
      symbols.length === 1 &&
      coefficient === FULL, 'addScalar writes a wrong sum');
    require(domain.algebra.bounds[symbols[0]!]![0] === 0n, 'the lost carry is negative');
  }

  /**
   * Proves that multiplyMontgomery computes a · b / 2^256 mod L, for any a and for b below L. Let T be the
   * sum after one round and T' the sum after the next. Then 2^32 · T' = T + a_i · b + m · L with a_i and m
   * below 2^32. So if T is below b + L, T' is too, and its top word fits.
   */
  #proveMontgomery(): void {
    const called: number[] = [];
    const bound = 2n * L - 1n;
    let previous = polynomial.ZERO;
    let round = 0;
    const inputs: { a: Integer[]; b: Polynomial } = { a: [], b: polynomial.ZERO };
    const stored = (address: number, value: Value): void => {
      within(this.#sum, 36)(address);
      if (address !== this.#sum + 32) return;
      const top = domain.algebra.toInteger(value);
      const now = takeNumber(domain, this.#sum + 4);
      const word = inputs.a[round++]!;
      // 2^32 · T' − T − a_i · b = m · L. The lowest word is omitted, because it is 0.
      const cleared = polynomial.add(
        polynomial.add(polynomial.scale(now, WORD), previous, -1n),
        polynomial.multiply(word.polynomial, inputs.b),
        -1n,
      );
      require(known(domain.get(this.#sum, 4)) === 0n, 'the lowest word is not cleared');
      require(polynomial.isMultiple(cleared, L), 'a round adds a number other than a multiple of the order');
      const factor = polynomial.divide(cleared, L);
      require(domain.algebra.isRemainder(factor, 32n), 'the multiple of the order is not below 2^32');
      require((bound + (WORD - 1n) * bound) / WORD <= bound, 'a sum may reach b + L');
      require(bound < FULL && top.low >= 0n && top.high < WORD, 'the top word does not fit');
      previous = now;
    };
    const domain = this.#domainThatStops(called, stored, value =>
      // The words below the top word are not negative, so the top word is at most T' / 2^224.
      this.#limitTop(value, bound),
    );
    // The second factor is at multiplyScalar's address, directly after the sum.
    const second = this.#sum + 40;
    inputs.b = putNumber(domain, second);
    const a = putNumber(domain, SLOTS.a);
    inputs.a = Array.from({ length: WORDS }, (_, i) =>
      domain.algebra.toInteger(domain.get(SLOTS.a + 4 * i, 4)),
    );
    this.#run(domain, 'multiplyMontgomery', [SLOTS.out, SLOTS.a, second]);
    require(round === WORDS &&
      called[0] === SLOTS.out &&
      called.length === 1, 'multiplyMontgomery does not end with one call of subtractOrderOnce');
    const difference = polynomial.add(
      polynomial.scale(previous, FULL),
      polynomial.multiply(a, inputs.b),
      -1n,
    );
    require(polynomial.isMultiple(difference, L), 'multiplyMontgomery has a wrong value modulo the order');
  }

  #limitTop(value: Integer, bound: bigint): Integer {
    const most = bound >> 224n;
    return value.high > most ? { ...value, high: most } : value;
  }

  /**
   * Proves that reduceScalar computes low + high · 2^256. The constant 2^512 modulo L is the factor of the
   * high half; the factor of the low half is computed from this constant.
   */
  #proveReduce(): void {
    const montgomery = functionIndex(this.#module, 'multiplyMontgomery');
    const adding = functionIndex(this.#module, 'addScalar');
    /** Known numbers, and products of an operand and a known factor, by address. */
    const numbers = new Map<number, bigint>();
    const products = new Map<number, [number, bigint]>();
    let sum: [number, bigint][] = [];
    const domain = new ArithmeticDomain(this.#module, {
      strict: false,
      call: (index, [out = 0, a = 0, b = 0]) => {
        if (index === montgomery) {
          const factor = numbers.get(b) ?? this.#readNumber(b);
          require(factor < L, 'a constant is not below the order');
          const number = knownNumber(domain, a);
          // Montgomery multiplication divides by 2^256.
          if (number === undefined) products.set(out, [a, divideByFull(factor)]);
          numbers.delete(out);
          if (number !== undefined) numbers.set(out, divideByFull(number * factor));
        } else if (index === adding) {
          sum = [a, b].map(at => products.get(at)!);
          require(out === SLOTS.out, 'reduceScalar does not write to its result');
        } else return undefined;
        return [];
      },
    });
    for (const half of [SLOTS.a, SLOTS.a + 32]) putNumber(domain, half);
    this.#run(domain, 'reduceScalar', [SLOTS.out, SLOTS.a]);
    const weights = new Map(sum);
    require(weights.get(SLOTS.a) === 1n, 'reduceScalar multiplies the low half by a wrong factor');
    require(weights.get(SLOTS.a + 32) ===
      FULL % L, 'reduceScalar multiplies the high half by a wrong factor');
  }

  #domainThatStops(
    called: number[],
    stored?: (address: number, value: Value) => void,
    limit?: (value: Integer) => Integer,
  ): ArithmeticDomain {
    return new ArithmeticDomain(this.#module, {
      strict: false,
      call: (index, parameters) => {
        if (index !== this.#subtract) return undefined;
        called.push(parameters[0]!);
        return [];
      },
      ...(stored && { stored }),
      ...(limit && { limit: (address, value) => (address === this.#sum + 32 ? limit(value) : value) }),
    });
  }

  #run(domain: ArithmeticDomain, name: string, places: number[]): void {
    const index = functionIndex(this.#module, name);
    new Machine<Value>(this.#module, domain).call(index, places.map(BigInt).map(exact));
  }

  #readNumber(address: number): bigint {
    const bytes = this.#module.memory.subarray(address, address + 32);
    return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  }

  /** Finds the address of the sum in addScalar, and the address of the order in subtractOrderOnce. */
  #findPlaces(): [sum: number, order: number] {
    const stores: number[] = [];
    const domain = this.#domainThatStops([], address => stores.push(address));
    for (const at of [SLOTS.a, SLOTS.b]) putNumber(domain, at);
    this.#run(domain, 'addScalar', [SLOTS.out, SLOTS.a, SLOTS.b]);
    const sum = Math.min(...stores) - 4;
    const { code } = this.#module.functions[this.#subtract]!;
    const places = code.filter(({ op }) => op === 'i32.const').map(({ value }) => Number(value));
    const order = places.find(place => place > 64 && place !== sum);
    require(order !== undefined, 'the address of the group order was not found');
    return [sum, order];
  }
}
