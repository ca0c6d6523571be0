// Edwards25519, RFC 8032 §5.1: the comb table of the base point and the curve's constants.
import type { Generator } from './generator.js';
import { notice, staticData } from './source-text.js';

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

// The comb method: digit t of comb j in row i has the weight 2^(i + SPACING · (t + TEETH · j)). There are
// 5 · 3 · 17 = 255 digits.
const TEETH = 5;
const COMBS = 3;
const SPACING = 17;
const DIGITS = TEETH * COMBS * SPACING;

const mod = (value: bigint, modulus = P) => ((value % modulus) + modulus) % modulus;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = mod(result * base);
    base = mod(base * base);
  }
  return result;
}

const inverse = (value: bigint) => power(value, P - 2n);

const D = mod(-121665n * inverse(121666n));
const SQRT_MINUS_ONE = power(2n, (P - 1n) / 4n);

interface Point {
  x: bigint;
  y: bigint;
}

/**
 * By §5.1, y = 4/5 and x is even. By §5.1.3, x² = (y² − 1)/(dy² + 1); the root has the exponent (p + 3)/8.
 */
function basePoint(): Point {
  const y = mod(4n * inverse(5n));
  const xSquared = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(xSquared, (P + 3n) / 8n);
  if (mod(x * x - xSquared) !== 0n) x = mod(x * SQRT_MINUS_ONE);
  return { x: x & 1n ? P - x : x, y };
}

/** Adds two points by the complete addition of §5.1.4, in affine coordinates. */
function add(a: Point, b: Point): Point {
  const product = mod(D * a.x * b.x * mod(a.y * b.y));
  return {
    x: mod((a.x * b.y + a.y * b.x) * inverse(1n + product)),
    y: mod((a.y * b.y + a.x * b.x) * inverse(mod(1n - product))),
  };
}

const negate = (point: Point): Point => ({ x: mod(-point.x), y: point.y });

/** Returns the point 2^(SPACING · n) · B for each tooth of each comb. */
function toothPoints(): Point[] {
  const points: Point[] = [];
  let point = basePoint();
  for (let n = 0; n < TEETH * COMBS; n++) {
    points.push(point);
    for (let i = 0; i < SPACING; i++) point = add(point, point);
  }
  return points;
}

/**
 * Returns the sum of the teeth with signs. The last tooth has the sign +; bit t of `index` gives the sign of
 * tooth t.
 */
function combEntry(teeth: Point[], index: number): Point {
  return teeth
    .slice(0, -1)
    .reduce((sum, tooth, t) => add(sum, (index >> t) & 1 ? tooth : negate(tooth)), teeth.at(-1)!);
}

/** Returns a table entry: (y + x, y − x, 2dxy), each with 32 bytes in little-endian order, as four words. */
function entryWords({ x, y }: Point): bigint[] {
  return [mod(y + x), mod(y - x), mod(2n * D * x * y)].flatMap(words);
}

function combTable(): bigint[] {
  const points = toothPoints();
  const table: bigint[] = [];
  for (let comb = 0; comb < COMBS; comb++) {
    const teeth = points.slice(comb * TEETH, (comb + 1) * TEETH);
    for (let index = 0; index < 2 ** (TEETH - 1); index++) table.push(...entryWords(combEntry(teeth, index)));
  }
  return table;
}

const words = (value: bigint) => [0n, 64n, 128n, 192n].map(shift => BigInt.asUintN(64, value >> shift));

/** Returns the ten limbs of a value, as in field-arithmetic.ts. No limb is negative. */
function limbs(value: bigint): bigint[] {
  return Array.from({ length: 10 }, (_, i) => {
    const start = BigInt(Math.ceil(25.5 * i));
    return BigInt.asUintN(i % 2 === 0 ? 26 : 25, value >> start);
  });
}

/** −L⁻¹ mod 2^32, the multiplier of a Montgomery reduction. */
function montgomeryFactor(): bigint {
  let root = 1n;
  for (let i = 0; i < 5; i++) root = BigInt.asUintN(32, root * (2n - L * root));
  return BigInt.asUintN(32, -root);
}

export const curveTables: Generator = {
  path: 'firmware/assembly/crypto/generated/curve-tables.ts',
  content: () =>
    [
      notice('curve-tables.ts'),
      `export const COMB_TEETH = ${TEETH};\nexport const COMBS = ${COMBS};\nexport const COMB_SPACING = ${SPACING};\n`,
      `/** ${COMBS} combs of ${2 ** (TEETH - 1)} points (y + x, y − x, 2dxy), 96 bytes each. */`,
      staticData('COMB_TABLE', 'u64', combTable(), 4),
      '/** The group order L, 32 bytes little-endian. */',
      staticData('ORDER', 'u64', words(L), 4),
      `/** 2^${DIGITS} − 1 mod L: the scalar whose digits are all +1. */`,
      staticData('ALL_ONES', 'u64', words(mod(2n ** BigInt(DIGITS) - 1n, L)), 4),
      '/** −L⁻¹ mod 2^32 */',
      `export const MONTGOMERY_FACTOR: u32 = 0x${montgomeryFactor().toString(16)};\n`,
      '/** 2^512 mod L, for R = 2^256 */',
      staticData('R_SQUARED', 'u64', words(2n ** 512n % L), 4),
      '/** d, 2d and √−1 as field elements */',
      staticData('CURVE_D', 'i32', limbs(D), 10),
      staticData('CURVE_2D', 'i32', limbs(mod(2n * D)), 10),
      staticData('SQRT_MINUS_ONE', 'i32', limbs(SQRT_MINUS_ONE), 10),
    ].join('\n'),
};
