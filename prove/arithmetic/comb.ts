// Proves multiplyBase: the digits of a scalar are right, each entry of the comb is the point that its five
// digits select, and the sum of the entries is the scalar times the base point.
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { ArithmeticDomain } from './arithmetic-domain.js';
import { type AffinePoint, add, BASE, D, isOnCurve, L, modulo, multiple, NEUTRAL, negate } from './curve.js';
import { type Bounds, LIMBS } from './field-functions.js';
import type { Call } from './point-functions.js';
import * as polynomial from './polynomial.js';
import { exact, type Finite, NotProved, require, type Value } from './values.js';

const TEETH = 5;
const COMBS = 3;
const SPACING = 17;
const DIGITS = TEETH * COMBS * SPACING;
const SCALAR = 40000;
const WORD = 1n << 32n;

class Stop extends Error {
  override readonly name = 'Stop';
}

interface CombResult {
  /** The calls that add one entry. */
  addEntry: Call[];
  sumAddress: number;
  /** Bounds of an entry's three elements, over all entries. */
  entryBounds: Bounds[];
}

export class Comb {
  readonly #module: WasmModule;
  readonly #index: number;

  constructor(module: WasmModule) {
    this.#module = module;
    this.#index = functionIndex(module, 'multiplyBase');
  }

  /**
   * Proves the digits of the scalar, and returns their address. They are the bits of scalar + 2^255 − 1 mod
   * L, plus L if that sum is even: bit n + 1 says whether digit n is +1 or −1. The sum of all digits, each
   * times 2^n, is the scalar modulo L.
   */
  proveDigits(): number {
    const stores: number[] = [];
    const domain = new ArithmeticDomain(this.#module, {
      strict: false,
      stored: address => {
        if (stores.push(address) > 8) throw new Stop();
      },
    });
    const words = Array.from({ length: 8 }, (_, i) => {
      // Every scalar is below 2^255, because it is clamped or below L.
      const word = domain.algebra.symbol(0n, i === 7 ? WORD / 2n - 1n : WORD - 1n);
      domain.put(SCALAR + 4 * i, 4, word);
      return word;
    });
    this.#runUntilStopped(domain);
    const at = stores[0]!;
    require(stores
      .slice(0, 8)
      .every((address, i) => address === at + 4 * i), 'the first stores do not write the digits');
    const { algebra } = domain;
    const number = (take: (i: number) => polynomial.Polynomial) =>
      Array.from({ length: 8 }, (_, i) => take(i)).reduce(
        (sum, word, i) => polynomial.add(sum, word, WORD ** BigInt(i)),
        polynomial.ZERO,
      );
    const scalar = number(i => words[i]!.polynomial);
    const written = algebra.expand(number(i => algebra.toInteger(domain.get(at + 4 * i, 4)).polynomial));
    const ones = (2n ** BigInt(DIGITS) - 1n) % L;
    const odd = algebra.integer(
      polynomial.add(words[0]!.polynomial, polynomial.constant(ones & (WORD - 1n))),
      0n,
      2n * WORD,
    );
    const parity = algebra.expand(algebra.remainder(odd, 1n).polynomial);
    const right = polynomial.add(
      polynomial.add(scalar, polynomial.constant(ones)),
      polynomial.scale(parity, L),
    );
    const rest = [...polynomial.terms(polynomial.add(written, right, -1n))];
    // A carry out of 2^256 is impossible: the sum of the scalar, 2^255 mod L and L is below 2^256.
    require(2n ** 255n + 2n * L < 2n ** 256n, 'the digits may not fit in 256 bits');
    const isCarry =
      rest.length === 0 || (rest.length === 1 && rest[0]![0].length === 1 && rest[0]![1] === -(2n ** 256n));
    require(isCarry, 'the digits do not represent the scalar');
    return at;
  }

  /**
   * Runs multiplyBase with each bit of the digits as a symbol. Proves every entry for all values of its
   * digits, and the sum.
   */
  proveSum(digitsAt: number): CombResult {
    const names = new Map(
      ['doublePoint', 'addField', 'combine', 'finish'].map(name => [functionIndex(this.#module, name), name]),
    );
    const points = teethPoints();
    const weights = new Map<number, bigint>();
    const entryBounds: [bigint, bigint][][] = [[], [], []];
    let addition: Call[] = [];
    let first: Call[] | undefined;
    let hasT = true;
    let used = 0;
    const domain: ArithmeticDomain = new ArithmeticDomain(this.#module, {
      strict: false,
      bitsAt: digitsAt,
      call: (index, parameters) => {
        const name = names.get(index);
        if (name === undefined) return undefined;
        if (name === 'doublePoint') {
          require(parameters[0] ===
            this.#sumAddress(addition, parameters), 'a point other than the sum is doubled');
          for (const [bit, weight] of weights) weights.set(bit, 2n * weight);
          hasT = parameters[1] === 1;
          return [];
        }
        if (name === 'addField') addition = [];
        addition.push([name, parameters]);
        if (name === 'combine') {
          require(hasT, 'an entry is added to a point whose T is not computed');
          const bits = this.#proveEntry(domain, parameters, points, entryBounds);
          for (const bit of bits) weights.set(bit, (weights.get(bit) ?? 0n) + 1n);
          used += bits.length;
        }
        if (name === 'finish') {
          hasT = parameters[3] === 1;
          const normal: Call[] = addition.map(([each, values]) => [
            each,
            each === 'finish' ? [...values.slice(0, 3), 1] : values,
          ]);
          first ??= normal;
          require(JSON.stringify(first) === JSON.stringify(normal), 'entries are added by different calls');
        }
        return [];
      },
    });
    for (let i = 0; i < 32; i++) domain.put(SCALAR + i, 1, exact(0n));
    new Machine<Value>(this.#module, domain).call(this.#index, [exact(BigInt(SCALAR))]);
    require(used === DIGITS && weights.size === DIGITS && hasT, 'not every digit is used exactly once');
    for (const [bit, weight] of weights) {
      // An entry includes the weights of the five digits that select it, so the doublings must give 2^row.
      const row = (bit - 1) % SPACING;
      require(weight === 2n ** BigInt(row), 'a digit has a wrong weight');
    }
    const sumAddress = first![0]![1][1]! - 80;
    this.#proveStart(domain, sumAddress);
    return { addEntry: first!, sumAddress, entryBounds };
  }

  #sumAddress(addition: Call[], [point]: number[]): number {
    return addition.length === 0 ? point! : addition.at(-1)![1][0]!;
  }

  /**
   * Proves that the sum starts as the neutral point (0, 1, 1, 0). Its elements still have these values,
   * because the calls that would change them were replaced.
   */
  #proveStart(domain: ArithmeticDomain, sumAddress: number): void {
    [0n, 1n, 1n, 0n].forEach((value, i) => {
      for (let limb = 0; limb < LIMBS; limb++) {
        const found = domain.get(sumAddress + 40 * i + 4 * limb, 4) as Finite;
        require(found.values[0] ===
          (limb === 0 ? value : 0n), 'the sum does not begin with the neutral point');
      }
    });
  }

  /**
   * Proves an entry for all 32 values of its digits. Returns the indices of the scalar's bits that are these
   * digits.
   */
  #proveEntry(
    domain: ArithmeticDomain,
    [, yPlusX, yMinusX, product]: number[],
    points: AffinePoint[],
    bounds: [bigint, bigint][][],
  ): readonly number[] {
    const elements = [yPlusX!, yMinusX!, product!].map(at =>
      Array.from({ length: LIMBS }, (_, i) => domain.get(at + 4 * i, 4) as Finite),
    );
    const support = [...new Set(elements.flat().flatMap(limb => limb.support))].sort((a, b) => a - b);
    require(support.length === TEETH, 'an entry does not depend on exactly five digits');
    const position = support[0]! - 1;
    const [row, comb] = [position % SPACING, Math.floor(position / (SPACING * TEETH))];
    support.forEach((bit, tooth) => {
      require(bit ===
        1 + row + SPACING * (tooth + TEETH * comb), 'an entry depends on digits of other places');
    });
    for (let teeth = 0; teeth < 2 ** TEETH; teeth++) {
      const point = points[comb * 32 + teeth]!;
      const right = [point[1] + point[0], point[1] - point[0], 2n * D * modulo(point[0] * point[1])];
      elements.forEach((limbs, n) => {
        const values = limbs.map(limb => BigInt.asIntN(32, valueFor(limb, support, teeth)));
        const value = values.reduce((sum, limb, i) => sum + (limb << BigInt(Math.ceil(25.5 * i))), 0n);
        require(modulo(value - right[n]!) === 0n, 'an entry of the table is a wrong point');
        values.forEach((limb, i) => {
          const [low, high] = bounds[n]![i] ?? [limb, limb];
          bounds[n]![i] = [limb < low ? limb : low, limb > high ? limb : high];
        });
      });
    }
    return support;
  }

  #runUntilStopped(domain: ArithmeticDomain): void {
    try {
      new Machine<Value>(this.#module, domain).call(this.#index, [exact(BigInt(SCALAR))]);
    } catch (error) {
      if (error instanceof Stop) return;
      throw error;
    }
    throw new NotProved('multiplyBase ends before it has stored its digits');
  }
}

function valueFor(limb: Finite, support: readonly number[], teeth: number): bigint {
  const index = limb.support.reduce((sum, bit, i) => sum | (((teeth >> support.indexOf(bit)) & 1) << i), 0);
  return limb.values[index]!;
}

/**
 * Returns the points that the entries must be. Entry 32 · comb + bits is the sum of ±2^(17·(t + 5·comb)) · B
 * over the five digits t of the comb, with + if bit t is set and − if it is not.
 */
function teethPoints(): AffinePoint[] {
  require(isOnCurve(BASE), 'the base point is not on the curve');
  const single: AffinePoint[] = [];
  for (let n = 0; n < TEETH * COMBS; n++) single.push(multiple(2n ** BigInt(SPACING * n), BASE));
  return Array.from({ length: 32 * COMBS }, (_, index) => {
    const teeth = single.slice(TEETH * (index >> 5), TEETH * ((index >> 5) + 1));
    return teeth.reduce<AffinePoint>(
      (sum, tooth, t) => add(sum, (index >> t) & 1 ? tooth : negate(tooth)),
      NEUTRAL,
    );
  });
}
