import { apply, type Bit, Bits, ofBits, type Word } from '../../../prove/pages/word.js';
import { compute } from '../../../prove/wasm/compute.js';

const BITWISE = ['and', 'or', 'xor'];
const SHIFTS = ['shl', 'shr_u', 'shr_s'];
const NUMERIC = ['add', 'sub', 'mul', 'eq', 'ne', 'lt_u', 'gt_u', 'lt_s', 'ge_u', 'le_s'];

let seed = 4711;
function random(below: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >> 8) % below;
}

/** The value of a word if the named bits have these values. */
function numberOf(bits: Bits, word: Word, isSet: (bit: Bit) => number): number {
  const bit = (each: Bit): number => bits.partsOf(each).reduce((sum, part) => sum ^ isSet(part), each & 1);
  if (typeof word === 'number') return word;
  if (word.kind === 'bits') return word.bits.reduce((sum, each, i) => sum | (bit(each) << i), 0);
  if (word.kind === 'table') return word.values[word.of.reduce((sum, each, i) => sum | (bit(each) << i), 0)]!;
  throw new Error(`a word that is ${word.kind}`);
}

describe('an instruction on symbolic words', () => {
  const bits = new Bits();
  const named = Array.from({ length: 6 }, (_, i) => bits.bit(`bit ${i}`));
  const randomWord = (): Word =>
    ofBits(Array.from({ length: 8 }, () => (random(3) === 0 ? named[random(6)]! ^ random(2) : random(2))));

  test.each([...BITWISE, ...SHIFTS, ...NUMERIC].map(name => `i32.${name}`))(
    'gives the same result as on numbers: %s',
    op => {
      for (let i = 0; i < 60; i++) {
        const isShift = SHIFTS.includes(op.slice(4));
        const [a, b] = [randomWord(), isShift ? random(32) : randomWord()];
        const result = apply(bits, op, a, b);
        for (let setting = 0; setting < 64; setting++) {
          const isSet = (bit: Bit) => (setting >> named.indexOf(bit)) & 1;
          const operands = [numberOf(bits, a, isSet), numberOf(bits, b, isSet)];
          const expected = Number(BigInt.asIntN(32, compute(op, operands.map(BigInt))));
          expect([a, b, numberOf(bits, result, isSet) | 0]).toEqual([a, b, expected]);
        }
      }
    },
  );
});

describe('a character that is one of several', () => {
  const bits = new Bits();
  const character: Word = {
    kind: 'scaled',
    of: { name: 'c', low: 0x30, high: 0x39, isMarked: false },
    factor: 1,
    plus: 0,
  };

  test('is compared by its bounds, and has both results if they do not decide', () => {
    expect(apply(bits, 'i32.gt_u', character, 0x2f)).toBe(1);
    expect(apply(bits, 'i32.gt_u', character, 0x39)).toBe(0);
    expect(apply(bits, 'i32.gt_u', character, 0x35)).toEqual({ kind: 'some', values: [0, 1] });
  });

  test('stays known after a multiplication and an addition', () => {
    const address = apply(bits, 'i32.add', apply(bits, 'i32.mul', character, 12), 7888);
    expect(address).toEqual({ ...character, factor: 12, plus: 7888 });
  });

  test('has quotients and remainders within their bounds', () => {
    expect(apply(bits, 'i32.div_u', character, 16)).toBe(3);
    expect(apply(bits, 'i32.rem_u', character, 10)).toMatchObject({ of: { low: 0, high: 9 } });
  });
});
