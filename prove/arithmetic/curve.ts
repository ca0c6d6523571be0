// Edwards25519 from its definition (RFC 8032 §5.1), independent of the generators of the firmware's tables.

export const P = 2n ** 255n - 19n;
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;

export const modulo = (value: bigint, modulus = P) => ((value % modulus) + modulus) % modulus;

export function power(base: bigint, exponent: bigint, modulus = P): bigint {
  let result = 1n;
  for (let square = modulo(base, modulus); exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Returns the 32 bytes of a number, the lowest first. */
export const littleEndian = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

export const D = modulo(-121665n * power(121666n, P - 2n));

export type AffinePoint = readonly [x: bigint, y: bigint];

export const NEUTRAL: AffinePoint = [0n, 1n];

/** The base point, whose coordinates the RFC gives as decimal numbers. */
export const BASE: AffinePoint = [
  15112221349535400772501151409588531511454012693041857206046113283949847762202n,
  46316835694926478169428394003475163141307993866256225615783033603165251855960n,
];

export function isOnCurve([x, y]: AffinePoint): boolean {
  return modulo(y * y - x * x - 1n - D * x * x * y * y) === 0n;
}

export function add([x1, y1]: AffinePoint, [x2, y2]: AffinePoint): AffinePoint {
  const product = modulo(D * x1 * x2) * modulo(y1 * y2);
  return [
    modulo((x1 * y2 + x2 * y1) * power(modulo(1n + product), P - 2n)),
    modulo((y1 * y2 + x1 * x2) * power(modulo(1n - product), P - 2n)),
  ];
}

export const negate = ([x, y]: AffinePoint): AffinePoint => [modulo(-x), y];

export function multiple(factor: bigint, point: AffinePoint): AffinePoint {
  let [sum, doubled] = [NEUTRAL, factor < 0n ? negate(point) : point];
  for (let rest = factor < 0n ? -factor : factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  return sum;
}
