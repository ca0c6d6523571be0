import fc from 'fast-check';
import { known, Terms } from '../../../prove/symbolic/terms.js';
import { compute } from '../../../prove/wasm/compute.js';
import { evaluate } from './evaluate.js';

const OPERATIONS = [
  'add',
  'sub',
  'mul',
  'shl',
  'shr_u',
  'and',
  'or',
  'xor',
  'div_u',
  'rem_u',
  'rem_s',
  'eq',
  'ne',
].concat(...['lt', 'gt', 'le', 'ge'].map(each => [`${each}_u`, `${each}_s`]));

const word = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), fc.bigInt({ min: 0n, max: 40n }));

test('keeps the value and the bounds of an instruction when a term is rewritten', () => {
  fc.assert(
    fc.property(
      word,
      word,
      word,
      fc.array(fc.tuple(fc.constantFrom(...OPERATIONS), fc.nat(9), fc.nat(9)), {
        minLength: 1,
        maxLength: 6,
      }),
      (x, y, constant, steps) => {
        const terms = new Terms();
        const symbols = new Map([
          [terms.symbol('x', 32), x],
          [terms.symbol('y', 32, y > 10n ? y - 10n : 0n, y), y],
        ]);
        const stack = [...symbols.keys(), terms.constant(constant, 32)];
        const values = [x, y, constant];
        for (const [op, i, j] of steps) {
          const [a, b] = [i % stack.length, j % stack.length];
          if (/div|rem/.test(op) && values[b] === 0n) continue;
          stack.push(terms.apply(`i32.${op}`, [stack[a]!, stack[b]!]));
          values.push(compute(`i32.${op}`, [values[a]!, values[b]!]));
          const term = stack.at(-1)!;
          expect(evaluate(term, symbols)).toBe(values.at(-1));
          expect(term.low <= values.at(-1)! && values.at(-1)! <= term.high).toBe(true);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('gives equal terms for an address that is computed in different ways', () => {
  const terms = new Terms();
  const x = terms.symbol('x', 32);
  const number = (value: bigint) => terms.constant(value, 32);
  const behind = terms.apply('i32.add', [terms.apply('i32.add', [x, number(4n)]), number(8n)]);
  expect(behind).toBe(terms.apply('i32.sub', [x, number(-12n)]));
  expect(known(terms.apply('i32.sub', [behind, x]))).toBe(12n);
});

test('returns the joined parts when a term is sliced', () => {
  const terms = new Terms();
  const bytes = ['a', 'b', 'c', 'd'].map(name => terms.symbol(name, 8));
  const joined = terms.join(bytes);
  expect(joined.bits).toBe(32);
  bytes.forEach((byte, i) => {
    expect(terms.slice(joined, 8 * i, 8)).toBe(byte);
  });
});

test('decides comparisons by bounds', () => {
  const terms = new Terms();
  const small = terms.symbol('small', 32, 0n, 9n);
  expect(known(terms.less(small, terms.constant(10n, 32)))).toBe(1n);
  expect(known(terms.less(terms.constant(9n, 32), small))).toBe(0n);
  expect(known(terms.eq(small, terms.constant(10n, 32)))).toBe(0n);
  expect(known(terms.less(small, terms.constant(9n, 32)))).toBeUndefined();
});
