// Polynomials with integer coefficients over numbered symbols.

/**
 * Coefficients by monomial. A key lists the symbols of a monomial in ascending order, separated by commas;
 * the key of the constant is empty. No coefficient is 0.
 */
export type Polynomial = ReadonlyMap<string, bigint>;

export const ZERO: Polynomial = new Map();

export function constant(value: bigint): Polynomial {
  return value === 0n ? ZERO : new Map([['', value]]);
}

export function symbol(id: number): Polynomial {
  return new Map([[`${id}`, 1n]]);
}

/** a + factor · b */
export function add(a: Polynomial, b: Polynomial, factor = 1n): Polynomial {
  const sum = new Map(a);
  for (const [monomial, coefficient] of b) {
    const value = (sum.get(monomial) ?? 0n) + factor * coefficient;
    if (value === 0n) sum.delete(monomial);
    else sum.set(monomial, value);
  }
  return sum;
}

export function scale(a: Polynomial, factor: bigint): Polynomial {
  return factor === 1n ? a : add(ZERO, a, factor);
}

const symbolsOf = (monomial: string) => (monomial === '' ? [] : monomial.split(','));

function joined(a: string, b: string): string {
  if (a === '') return b;
  if (b === '') return a;
  return [...symbolsOf(a), ...symbolsOf(b)].sort((x, y) => Number(x) - Number(y)).join(',');
}

export function multiply(a: Polynomial, b: Polynomial): Polynomial {
  const product = new Map<string, bigint>();
  for (const [left, x] of a) {
    for (const [right, y] of b) {
      const monomial = joined(left, right);
      product.set(monomial, (product.get(monomial) ?? 0n) + x * y);
    }
  }
  for (const [monomial, coefficient] of product) if (coefficient === 0n) product.delete(monomial);
  return product;
}

/** Returns the value of a polynomial without symbols; undefined if it has a symbol. */
export function constantOf(a: Polynomial): bigint | undefined {
  if (a.size === 0) return 0n;
  return a.size === 1 ? a.get('') : undefined;
}

export function keyOf(a: Polynomial): string {
  return [...a]
    .map(([monomial, coefficient]) => `${coefficient}*${monomial}`)
    .sort()
    .join('+');
}

/** Returns whether each coefficient is a multiple of `modulus`. */
export function isMultiple(a: Polynomial, modulus: bigint): boolean {
  return [...a.values()].every(coefficient => coefficient % modulus === 0n);
}

export function divide(a: Polynomial, divisor: bigint): Polynomial {
  return new Map([...a].map(([monomial, coefficient]) => [monomial, coefficient / divisor]));
}

/** Yields the symbols and the coefficient of each monomial. */
export function* terms(a: Polynomial): Generator<[number[], bigint]> {
  for (const [monomial, coefficient] of a) yield [symbolsOf(monomial).map(Number), coefficient];
}
