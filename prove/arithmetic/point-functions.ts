// Proves the functions on points: their formulas are identities of polynomials, and bounds hold at every
// call.
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { D, modulo, P, power } from './curve.js';
import { type Bounds, type FieldFunctions, LIMBS, OPERAND } from './field-functions.js';
import {
  DECODED,
  enclosing,
  isWithin,
  negated,
  PointDomain,
  type PointOptions,
  type PointValue,
  reduced,
  UNKNOWN,
} from './point-domain.js';
import type { Polynomial } from './polynomial.js';
import * as polynomial from './polynomial.js';
import { NotProved, require } from './values.js';

/** Symbols for the affine coordinates and the Z of two points of the curve, and for a root. */
const [X1, Y1, Z1, X2, Y2, Z2, ROOT] = [0, 1, 2, 3, 4, 5, 6].map(polynomial.symbol) as [
  Polynomial,
  Polynomial,
  Polynomial,
  Polynomial,
  Polynomial,
  Polynomial,
  Polynomial,
];
const ONE = polynomial.constant(1n);

const product = (...factors: Polynomial[]) =>
  factors.reduce((a, b) => reduced(polynomial.multiply(a, b)), ONE);
const sum = (a: Polynomial, b: Polynomial, factor = 1n) => reduced(polynomial.add(a, b, factor));

/** Replaces x²y² by (y² − x² − 1)/d for each of the two points, until no monomial contains it. */
function onCurve(value: Polynomial): Polynomial {
  let rest = value;
  const inverse = power(D, P - 2n);
  for (const [x, y] of [
    [0, 1],
    [3, 4],
  ] as const) {
    for (;;) {
      const found = [...polynomial.terms(rest)].find(
        ([symbols]) => symbols.filter(id => id === x).length > 1 && symbols.filter(id => id === y).length > 1,
      );
      if (!found) break;
      const [symbols, coefficient] = found;
      const others = [...symbols];
      for (const id of [x, x, y, y]) others.splice(others.indexOf(id), 1);
      const other = product(...others.map(polynomial.symbol));
      const square = (id: number) => polynomial.multiply(polynomial.symbol(id), polynomial.symbol(id));
      const instead = sum(sum(square(y), square(x), -1n), ONE, -1n);
      rest = sum(rest, product(...symbols.map(polynomial.symbol)), -coefficient);
      rest = sum(rest, product(other, instead), coefficient * inverse);
    }
  }
  return rest;
}

const isZeroOnCurve = (value: Polynomial) => onCurve(value).size === 0;

/** Bounds of the coordinates X, Y, Z, T. */
type PointBounds = readonly [Bounds, Bounds, Bounds, Bounds];

const CONSTANT = (value: bigint): Bounds =>
  Array.from({ length: LIMBS }, (_, i) => (i === 0 ? ([value, value] as const) : ([0n, 0n] as const)));
const SMALL = enclosing(CONSTANT(0n), CONSTANT(1n));

/** Addresses above the module's memory. */
const POINT = 40000;
const MULTIPLE = 41000;
const ENTRY = 42000;

/** A call in multiplyBase of a function on field elements or points, with its parameters. */
export type Call = readonly [name: string, parameters: readonly number[]];

export class PointFunctions {
  readonly module: WasmModule;
  readonly field: FieldFunctions;
  /** Bounds of every product that occurs. */
  readonly products: Bounds;
  readonly encodable: Bounds;
  calls = 0;
  paths = 0;
  readonly #base: PointOptions;

  constructor(module: WasmModule, field: FieldFunctions) {
    this.module = module;
    this.field = field;
    const results = ['multiplyField', 'squareField', 'squareFieldTwice'].map(name =>
      field.bounds(name, name === 'multiplyField' ? [OPERAND, OPERAND] : [OPERAND]),
    );
    this.products = enclosing(...results, SMALL);
    this.encodable = this.products.map(([low, high]) => [3n * low, 3n * high] as const);
    this.#base = { encodable: this.encodable, squareTwiceOut: findSquareTwiceOut(module), withValues: false };
  }

  /**
   * Proves that each function that adds or doubles implements the addition law (RFC 8032 §5.1.4). The law is
   * complete because d is not a square.
   */
  proveFormulas(addEntry: readonly Call[], sumAddress: number): void {
    require(power(D, (P - 1n) / 2n) === P - 1n, 'd is a square');
    require(power(P - 1n, (P - 1n) / 2n) === 1n, '−1 is not a square');
    const [first, second] = [pointOf(X1, Y1, Z1), pointOf(X2, Y2, Z2)];
    this.#proveSum(
      this.#run([['doublePoint', [POINT, 1]]], [[POINT, first]]),
      [X1, Y1],
      [X1, Y1],
      'doublePoint',
    );
    const prepared = this.#run([['prepareMultiple', [MULTIPLE, POINT]]], [[POINT, second]], MULTIPLE);
    const expected = [sum(second[1]!, second[0]!), sum(second[1]!, second[0]!, -1n), second[2]!];
    expected.push(product(second[3]!, polynomial.constant(2n * D)));
    prepared.forEach((value, i) => {
      require(sum(value, expected[i]!, -1n).size === 0, 'prepareMultiple has a wrong value');
    });
    const added = this.#run(
      [['addMultiple', [POINT, MULTIPLE]]],
      [
        [POINT, first],
        [MULTIPLE, prepared],
      ],
    );
    this.#proveSum(added, [X1, Y1], [X2, Y2], 'addMultiple');
    const entry = [sum(Y2, X2), sum(Y2, X2, -1n), product(X2, Y2, polynomial.constant(2n * D))];
    const entryAddress = addEntry.find(([name]) => name === 'combine')![1][1]!;
    const mixed = this.#run(
      addEntry,
      [
        [sumAddress, first],
        [entryAddress, entry],
      ],
      sumAddress,
    );
    this.#proveSum(mixed, [X1, Y1], [X2, Y2], 'the addition of an entry');
    const subtraction = this.#subtraction();
    const less = this.#run(subtraction, [
      [POINT, first],
      [MULTIPLE, prepared],
    ]);
    this.#proveSum(less, [X1, Y1], [polynomial.scale(X2, -1n), Y2], 'the subtraction of a multiple');
  }

  /**
   * Returns the calls with which multiplyPoint subtracts, with point and multiple at this proof's addresses.
   */
  #subtraction(): Call[] {
    const calls = this.#subtractionCalls;
    require(calls.length > 0, 'multiplyPoint was not run');
    const combine = calls.find(([name]) => name === 'combine')!;
    const [point, multiple] = [combine[1][0]!, combine[1][2]!];
    const moved = (at: number) => {
      if (at >= point && at < point + 160) return at - point + POINT;
      return at >= multiple && at < multiple + 160 ? at - multiple + MULTIPLE : at;
    };
    return calls.map(([name, parameters]) => [name, parameters.map(moved)] as const);
  }

  #subtractionCalls: Call[] = [];

  #run(calls: readonly Call[], elements: [number, Polynomial[]][], result = POINT): Polynomial[] {
    const domain = new PointDomain(this.module, this.field, { ...this.#base, withValues: true });
    for (const [address, values] of elements) {
      values.forEach((value, i) => {
        domain.putElement(address + 40 * i, { value, bounds: this.products });
      });
    }
    const machine = new Machine<PointValue>(this.module, domain);
    for (const [name, parameters] of calls) {
      machine.call(functionIndex(this.module, name), parameters.map(BigInt));
    }
    this.calls += domain.calls;
    return [0, 1, 2, 3].map(i => domain.getElement(result + 40 * i).value!);
  }

  /** Proves that (X/Z, Y/Z) is the sum of two points, that T = XY/Z, and that Z is not 0. */
  #proveSum(
    [x, y, z, t]: Polynomial[],
    [x1, y1]: [Polynomial, Polynomial],
    [x2, y2]: [Polynomial, Polynomial],
    what: string,
  ): void {
    const term = product(polynomial.constant(D), x1, x2, y1, y2);
    const [plus, minus] = [sum(ONE, term), sum(ONE, term, -1n)];
    const right = [
      sum(product(x!, plus), product(z!, sum(product(x1, y2), product(y1, x2))), -1n),
      sum(product(y!, minus), product(z!, sum(product(y1, y2), product(x1, x2))), -1n),
      sum(product(t!, z!), product(x!, y!), -1n),
    ];
    require(right.every(isZeroOnCurve), `${what} does not follow the addition law`);
    // 1 ± d·x1·x2·y1·y2 is never 0, and no Z is 0.
    const scale = [...onCurve(product(plus, minus)).keys()].length > 0;
    const factors = [ONE, product(Z1, Z1), product(Z1, Z1, Z1, Z1), product(Z1, Z1, Z2, Z2)];
    const isUnit = factors.some(factor =>
      [1n, 2n, 4n, -1n, -2n, -4n].some(k => isZeroOnCurve(sum(z!, product(factor, plus, minus), -k))),
    );
    require(scale && isUnit, `${what}: Z may be 0`);
  }

  /**
   * Proves the bounds of each function on points: if the coordinates of its operands are within the bounds of
   * products, those of its result are too.
   */
  proveBounds(addEntry: readonly Call[], sumAddress: number, entries: readonly Bounds[]): void {
    const computed: PointBounds = [this.products, this.products, this.products, this.products];
    const either = enclosing(this.products, negated(this.products));
    const decoded: PointBounds = [either, DECODED, SMALL, either];
    const prepare = (point: PointBounds) =>
      this.#boundsAfter([['prepareMultiple', [MULTIPLE, POINT]]], [[POINT, point]], MULTIPLE);
    const multiples = [prepare(computed), prepare(decoded)];
    const close = (calls: readonly Call[], elements: [number, readonly Bounds[]][], result = POINT): void => {
      const after = this.#boundsAfter(calls, elements, result);
      require(after.every(bounds =>
        isWithin(bounds, this.products),
      ), `the result of ${calls.at(-1)![0]} is outside its bounds`);
    };
    for (const point of [computed, decoded]) {
      close([['doublePoint', [POINT, 1]]], [[POINT, point]]);
      for (const multiple of multiples) {
        close(
          [['addMultiple', [POINT, MULTIPLE]]],
          [
            [POINT, point],
            [MULTIPLE, multiple],
          ],
        );
        close(this.#subtraction(), [
          [POINT, point],
          [MULTIPLE, multiple],
        ]);
      }
    }
    const entryAddress = addEntry.find(([name]) => name === 'combine')![1][1]!;
    close(
      addEntry,
      [
        [sumAddress, computed],
        [entryAddress, entries],
      ],
      sumAddress,
    );
    this.#boundsAfter([['encodePoint', [ENTRY]]], [], undefined, computed);
    this.#proveRelease(computed, decoded);
  }

  #boundsAfter(
    calls: readonly Call[],
    elements: [number, readonly Bounds[]][],
    result: number | undefined,
    everywhere?: PointBounds,
  ): Bounds[] {
    const domain = new PointDomain(this.module, this.field, this.#base);
    for (const [address, all] of elements) {
      all.forEach((bounds, i) => {
        domain.putElement(address + 40 * i, { value: undefined, bounds });
      });
    }
    if (everywhere) {
      // encodePoint reads its point from the address of multiplyBase's sum.
      const sumAddress = this.sumAddress;
      everywhere.forEach((bounds, i) => {
        domain.putElement(sumAddress + 40 * i, { value: undefined, bounds });
      });
    }
    const machine = new Machine<PointValue>(this.module, domain);
    for (const [name, parameters] of calls)
      machine.call(functionIndex(this.module, name), parameters.map(BigInt));
    this.calls += domain.calls;
    return result === undefined ? [] : [0, 1, 2, 3].map(i => domain.getElement(result + 40 * i).bounds);
  }

  sumAddress = 0;

  /** Proves the verification of a new signature, including its decoding, along every path. */
  #proveRelease(computed: PointBounds, decoded: PointBounds): void {
    const pending: boolean[][] = [[]];
    while (pending.length > 0) {
      const choices = pending.pop()!;
      const { branches, points } = this.#runRelease(choices, computed);
      this.paths++;
      for (const point of points) {
        point.bounds.forEach((bounds, i) => {
          require(isWithin(bounds, decoded[i]!), 'a decoded point is outside its bounds');
        });
        proveRoot(point.values);
      }
      for (let i = choices.length; i < branches; i++) {
        pending.push([...choices, ...Array<boolean>(i - choices.length).fill(false), true]);
      }
      require(this.paths < 5000, 'the verification has too many paths');
    }
  }

  #runRelease(choices: boolean[], computed: PointBounds) {
    const points: { bounds: Bounds[]; values: Polynomial[] }[] = [];
    const take = (domain: PointDomain, at: number) => {
      const elements = [0, 1, 2, 3].map(i => domain.getElement(at + 40 * i));
      points.push({ bounds: elements.map(each => each.bounds), values: elements.map(each => each.value!) });
    };
    const putPoint = (domain: PointDomain, at: number): void =>
      computed.forEach((bounds, i) => {
        domain.putElement(at + 40 * i, { value: undefined, bounds });
      });
    const domain = new PointDomain(this.module, this.field, {
      ...this.#base,
      withValues: true,
      choices,
      replaced: (name, [first], at) => {
        const place = typeof first === 'bigint' ? Number(first) : 0;
        if (name === 'multiplyBase') putPoint(at, this.sumAddress);
        else if (name === 'multiplyPoint') {
          take(at, this.decodedAddress);
          putPoint(at, this.productAddress);
        } else if (name === 'raiseTo250Ones') return this.#raise(at, place);
        else if (/^(encodePoint|hasSmallOrder)$/.test(name)) {
          if (name === 'hasSmallOrder') return [UNKNOWN];
        } else if (
          !/^(expandKey|hashChallenge|sha512\w*|reduceScalar|multiplyMontgomery|addScalar)$/.test(name)
        )
          return undefined;
        return [];
      },
    });
    new Machine<PointValue>(this.module, domain).call(functionIndex(this.module, 'release'), [
      UNKNOWN,
      UNKNOWN,
    ]);
    this.calls += domain.calls;
    return { branches: domain.branches, points };
  }

  /** Replaces raiseTo250Ones by a symbol for its result. `proveExponents` proves its exponents. */
  #raise(domain: PointDomain, at: number): [] {
    const value = domain.getElement(at).value;
    const [u, v] = decodedTerms();
    require(value !== undefined, 'a root is taken of an unknown value');
    require(sum(value, product(u, ...Array<Polynomial>(7).fill(v)), -1n).size ===
      0, 'a root is taken of a value other than u·v^7');
    domain.putElement(this.powerAddress, { value: ROOT, bounds: this.products });
    return [];
  }

  powerAddress = 0;
  decodedAddress = 0;
  productAddress = 0;

  /**
   * Runs multiplyPoint on a challenge, and checks the challenge's digits. Keeps the addresses that it uses,
   * and the calls that subtract a multiple.
   */
  runMultiplyPoint(challenge: bigint): void {
    const subtractions: Call[] = [];
    let recent: Call[] = [];
    let total: bigint | undefined;
    const multiples = new Map<number, bigint>();
    const index = functionIndex(this.module, 'multiplyPoint');
    const domain = new PointDomain(this.module, this.field, {
      ...this.#base,
      replaced: (name, parameters) => {
        const places = parameters.map(Number);
        if (name === 'prepareMultiple') {
          this.decodedAddress ||= places[1]!;
          multiples.set(places[0]!, multiples.size === 0 ? 1n : -1n);
        } else if (name === 'doublePoint') {
          this.productAddress = places[0]!;
          if (total !== undefined) total *= 2n;
        } else if (name === 'addMultiple' && places[0] === this.productAddress) {
          total = (total ?? 0n) + this.#multipleAt(multiples, places[1]!);
        } else if (name === 'combine') {
          total = (total ?? 0n) - this.#multipleAt(multiples, places[2]!);
          recent = [...recent, [name, places]];
        } else if (name === 'finish') {
          subtractions.push(...(subtractions.length === 0 ? [...recent, [name, places] as const] : []));
        } else if (name === 'multiplyPoint') return undefined;
        return [];
      },
    });
    const original = domain.call.bind(domain);
    domain.call = (called, parameters) => {
      const name = this.module.functions[called]!.name.split('/').at(-1)!;
      if (name === 'multiplyField' || name === 'addField') {
        recent = [...recent.slice(-1), [name, parameters.map(Number)]];
        return [];
      }
      return original(called, parameters);
    };
    this.#putChallenge(domain, index, challenge);
    new Machine<PointValue>(this.module, domain).call(index, []);
    if (subtractions.length > 0) this.#subtractionCalls = subtractions;
    require((total ?? 0n) === challenge, 'the digits do not add up to the challenge');
  }

  #putChallenge(domain: PointDomain, index: number, challenge: bigint): void {
    const { code } = this.module.functions[index]!;
    const at = code.findIndex(({ op }) => op === 'i64.load');
    const base = Number(code.slice(0, at).findLast(({ op }) => op === 'i32.const')!.value);
    for (let i = 0; i < 33; i++) {
      const window = BigInt.asUintN(64, challenge >> BigInt(8 * i));
      domain.put(base + i, window);
    }
  }

  /** Returns the factor of the multiple at an address. The multiples 1, 3, 5 … 15 are 160 bytes apart. */
  #multipleAt(multiples: Map<number, bigint>, at: number): bigint {
    const start = Math.min(...multiples.keys());
    require(multiples.has(at), 'a multiple is used that was not prepared');
    return BigInt((2 * (at - start)) / 160 + 1);
  }

  /** Adds up exponents to prove that invertField raises to p − 2, and raiseForRoot to (p − 5)/8. */
  proveExponents(): void {
    const index = functionIndex(this.module, 'raiseTo250Ones');
    const exponents = this.#exponents();
    new Machine<PointValue>(this.module, exponents.domain).call(index, [BigInt(POINT)]);
    const results = [...exponents.at];
    const ones = results.find(([, exponent]) => exponent === 2n ** 250n - 1n);
    const eleven = results.find(([, exponent]) => exponent === 11n);
    require(ones !== undefined && eleven !== undefined, 'raiseTo250Ones raises to wrong exponents');
    this.powerAddress = ones[0];
    // encodePoint computes 1/Z, then X/Z and Y/Z.
    const inverted = this.#exponents((at, value) => {
      require(at === this.sumAddress + 80 && value === 1n, 'encodePoint does not invert Z');
    });
    inverted.at.set(this.sumAddress + 80, 1n);
    new Machine<PointValue>(this.module, inverted.domain).call(functionIndex(this.module, 'encodePoint'), [
      BigInt(ENTRY),
    ]);
    require([...inverted.at.values()].includes(P - 2n), 'encodePoint does not raise to p − 2');
    require((2n ** 250n - 1n) * 4n + 1n === (P - 5n) / 8n, 'the exponent of a root is not (p − 5)/8');
  }

  #exponents(started?: (at: number, value: bigint) => void) {
    const at = new Map<number, bigint>([[POINT, 1n]]);
    const domain = new PointDomain(this.module, this.field, this.#base);
    const names = new Map(
      ['multiplyField', 'squareField', 'encodeField', 'raiseTo250Ones'].map(name => [
        functionIndex(this.module, name),
        name,
      ]),
    );
    domain.call = (called, parameters) => {
      const name = names.get(called);
      const [out = 0, a = 0, b = 0] = parameters.map(Number);
      if (name === 'raiseTo250Ones' && started) started(out, at.get(out)!);
      if (name === 'multiplyField' && at.has(a) && at.has(b)) at.set(out, at.get(a)! + at.get(b)!);
      else if (name === 'multiplyField') at.delete(out);
      else if (name === 'squareField') at.set(out, 2n * at.get(a)!);
      else if (name !== 'encodeField') return undefined;
      return [];
    };
    return { at, domain };
  }
}

/** Returns a point with affine coordinates x and y: X, Y, Z, T. */
function pointOf(x: Polynomial, y: Polynomial, z: Polynomial): Polynomial[] {
  return [product(x, z), product(y, z), z, product(x, y, z)];
}

/** u = y² − 1 and v = d·y² + 1 of RFC 8032 §5.1.3, for the decoded symbol y. */
function decodedTerms(): [Polynomial, Polynomial] {
  const square = product(X1, X1);
  return [sum(square, ONE, -1n), sum(product(polynomial.constant(D), square), ONE)];
}

/**
 * Proves the coordinates of a decoded point: X is ±u·v³·(u·v^7)^((p−5)/8), or this times a root of −1; Y is
 * the decoded symbol, Z = 1 and T = XY.
 */
function proveRoot([x, y, z, t]: Polynomial[]): void {
  const [u, v] = decodedTerms();
  const candidate = product(u, v, v, v, product(u, ...Array<Polynomial>(7).fill(v)), ROOT, ROOT, ROOT, ROOT);
  const rootOfMinusOne = power(2n, (P - 1n) / 4n);
  require(modulo(rootOfMinusOne * rootOfMinusOne) === P - 1n, 'the square of 2^((p − 1)/4) is not −1');
  const factors = [1n, -1n, rootOfMinusOne, -rootOfMinusOne];
  require(factors.some(factor => sum(x!, candidate, -factor).size === 0), 'X of a decoded point is wrong');
  require(sum(y!, X1, -1n).size === 0 && sum(z!, ONE, -1n).size === 0, 'Y or Z of a decoded point is wrong');
  const same = [1n, -1n].some(sign => sum(t!, product(x!, y!), -sign).size === 0);
  require(same, 'T of a decoded point is wrong');
}

function findSquareTwiceOut(module: WasmModule): number {
  const { parameters, code } = module.functions[functionIndex(module, 'squareFieldTwice')]!;
  if (parameters !== 1) throw new NotProved('squareFieldTwice does not have exactly one parameter');
  const stores = code.filter(({ op, value }) => op === 'i32.const' && value > 9000n);
  return Number(stores.map(({ value }) => value).reduce((a, b) => (a < b ? a : b)));
}
