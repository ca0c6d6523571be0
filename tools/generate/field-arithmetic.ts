// Arithmetic modulo p = 2^255 − 19 on ten signed limbs, which have 26 and 25 bits alternately. Limb i has the
// weight 2^ceil(25.5 i).
//
// Bounds are multiples of 2^26 for even limbs and of 2^25 for odd limbs. The operands of a product may be up
// to 1.65, and its result is up to 0.51. So a sum or difference of up to three results can be multiplied
// without a carry before.
import type { Generator } from './generator.js';
import { indented, notice, times } from './source-text.js';

const LIMBS = 10;
const bitsOf = (limb: number) => (limb % 2 === 0 ? 26 : 25);
const offsetOf = (limb: number) => 4 * limb;

const loads = (name: string) => times(LIMBS, i => `const ${name}${i} = load<i32>(${name}, ${offsetOf(i)});`);

/**
 * Returns the factor with which limb i times limb j counts in limb (i + j) mod 10. It has a factor 19 if the
 * product wraps around, because 2^255 is 19 modulo p, and a factor 2 if both limbs are odd.
 */
function weight(i: number, j: number): number {
  return (i + j >= LIMBS ? 19 : 1) * (i % 2 === 1 && j % 2 === 1 ? 2 : 1);
}

/**
 * Operands stay i32, even after multiplication by 2, 19 or 38, and are widened only in the product. A board
 * computes such a product with one 32 × 32 → 64 instruction.
 */
const product = (a: string, b: string) => `<i64>${a} * <i64>${b}`;

function multiplyTerms(limb: number): string[] {
  return times(LIMBS, i => {
    const j = (limb - i + LIMBS) % LIMBS;
    const left = weight(i, j) % 2 === 0 ? `a${i}x2` : `a${i}`;
    return product(left, i + j >= LIMBS ? `b${j}x19` : `b${j}`);
  });
}

function squareTerms(limb: number): string[] {
  const terms: string[] = [];
  for (let i = 0; i < LIMBS; i++) {
    const j = (limb - i + LIMBS) % LIMBS;
    if (j < i) continue;
    const total = weight(i, j) * (i === j ? 1 : 2);
    // If limb j is odd and wraps around, its operand is a[j] × 38 = 2 × 19 × a[j], with one factor 2 of `total`.
    const right = i + j < LIMBS ? 1 : j % 2 === 1 ? 38 : 19;
    const left = total / right;
    if (left === 4) terms.push(product(`a${i}x2`, `a${j}x2`));
    else terms.push(product(left === 2 ? `a${i}x2` : `a${i}`, right === 1 ? `a${j}` : `a${j}x${right}`));
  }
  return terms;
}

/**
 * Rounds limb `from` to its bits and adds the carry to the next limb. The carry of the last limb is
 * multiplied by 19 and added to limb 0.
 */
function carry(from: number): string {
  const bits = bitsOf(from);
  const to = (from + 1) % LIMBS;
  const rest = from === LIMBS - 1 ? '19 * carry' : 'carry';
  return `carry = (r${from} + (1 << ${bits - 1})) >> ${bits}; r${to} += ${rest}; r${from} -= carry << ${bits};`;
}

/**
 * Two chains of carries, from limb 0 and from limb 4. They alternate, so that a step need not wait for the
 * step before it.
 */
const carryAndStore = () => [
  'let carry: i64;',
  ...[0, 4, 1, 5, 2, 6, 3, 7, 4, 8, 9, 0].map(carry),
  ...times(LIMBS, i => `store<i32>(out, <i32>r${i}, ${offsetOf(i)});`),
];

const sums = (terms: (limb: number) => string[]) => times(LIMBS, i => `let r${i} = ${terms(i).join(' + ')};`);

function multiply(): string {
  return method('/** out = a · b */', 'multiplyField', 'out: usize, a: usize, b: usize', [
    ...loads('a'),
    ...loads('b'),
    ...times(LIMBS - 1, i => `const b${i + 1}x19 = 19 * b${i + 1};`),
    ...times(LIMBS / 2, i => `const a${2 * i + 1}x2 = 2 * a${2 * i + 1};`),
    ...sums(multiplyTerms),
    ...carryAndStore(),
  ]);
}

function square(comment: string, name: string, doubled: string[]): string {
  return method(comment, name, 'out: usize, a: usize', [
    ...loads('a'),
    ...times(LIMBS - 1, i => `const a${i}x2 = 2 * a${i};`),
    ...[6, 8].map(i => `const a${i}x19 = 19 * a${i};`),
    ...[5, 7, 9].map(i => `const a${i}x38 = 38 * a${i};`),
    ...sums(squareTerms),
    ...doubled,
    ...carryAndStore(),
  ]);
}

function limbwise(
  comment: string,
  name: string,
  parameters: string,
  value: (offset: number) => string,
): string {
  return method(
    comment,
    name,
    parameters,
    times(LIMBS, i => `store<i32>(out, ${value(4 * i)}, ${offsetOf(i)});`),
  );
}

function addAndSubtract(): string {
  const comment =
    '/** sum = a + b and difference = a − b, without carries. The results may overwrite a or b. */';
  return method(comment, 'addAndSubtractField', 'sum: usize, difference: usize, a: usize, b: usize', [
    ...loads('a'),
    ...loads('b'),
    ...times(LIMBS, i => `store<i32>(sum, a${i} + b${i}, ${offsetOf(i)});`),
    ...times(LIMBS, i => `store<i32>(difference, a${i} - b${i}, ${offsetOf(i)});`),
  ]);
}

function method(comment: string, name: string, parameters: string, body: string[]): string {
  return `${comment}\nexport function ${name}(${parameters}): void {\n${indented(body)}}\n`;
}

export const fieldArithmetic: Generator = {
  path: 'firmware/assembly/crypto/generated/field-arithmetic.ts',
  content: () =>
    [
      notice('field-arithmetic.ts'),
      multiply(),
      square('/** out = a² */', 'squareField', []),
      square(
        '/** out = 2a² */',
        'squareFieldTwice',
        times(LIMBS, i => `r${i} += r${i};`),
      ),
      limbwise(
        '/** out = a + b, without carries between limbs */',
        'addField',
        'out: usize, a: usize, b: usize',
        offset => `load<i32>(a, ${offset}) + load<i32>(b, ${offset})`,
      ),
      limbwise(
        '/** out = a − b, without carries between limbs */',
        'subtractField',
        'out: usize, a: usize, b: usize',
        offset => `load<i32>(a, ${offset}) - load<i32>(b, ${offset})`,
      ),
      addAndSubtract(),
      limbwise(
        '/** Negates `out` if `mask` is −1. Leaves it unchanged if `mask` is 0. */',
        'negateFieldIf',
        'out: usize, mask: i32',
        offset => `(load<i32>(out, ${offset}) ^ mask) - mask`,
      ),
    ].join('\n'),
};
