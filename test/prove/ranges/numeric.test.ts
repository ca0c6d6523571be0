import { divisionFault, rangeOf } from '../../../prove/ranges/state/numeric.js';
import { interval, ofValues, type Range } from '../../../prove/ranges/state/range.js';
import { compute } from '../../../prove/wasm/compute.js';

const BINARY =
  'eq ne lt_u gt_u le_u ge_u lt_s gt_s le_s ge_s add sub mul div_u rem_u div_s rem_s and or xor shl shr_u shr_s rotl'.split(
    ' ',
  );
const UNARY = [
  'i32.wrap_i64',
  'i64.extend_i32_u',
  'i64.extend_i32_s',
  'i32.extend8_s',
  'i32.extend16_s',
  'i32.eqz',
  'i64.eqz',
];

let seed = 12345;
function random(below: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return seed % below;
}

const EDGES = [0, 1, -1, 2, 7, 31, 32, 63, 255, 65535, 65536, 2 ** 31 - 1, -(2 ** 31), 100_000];

function randomRange(): Range {
  const one = EDGES[random(EDGES.length)]! + random(3) - 1;
  const other = random(2) === 0 ? one + random(70) : EDGES[random(EDGES.length)]!;
  const clip = (value: number) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value));
  const [low, high] = [clip(Math.min(one, other)), clip(Math.max(one, other))];
  return random(4) === 0 ? ofValues([low, high]) : interval(low, high);
}

function membersOf({ low, high, values }: Range): number[] {
  return values
    ? [...values]
    : [low, high, low + random(Math.min(high - low + 1, 2 ** 30)), Math.min(high, low + 1)];
}

/** Operands in the range whose result is outside the range given for it. */
function outliers(op: string, ranges: readonly Range[], given: Range): number[][] {
  const bits = /^i32|wrap|eqz|\.(eq|ne|[lg][te]_.)$/.test(op) ? 32 : 64;
  const [a, b] = ranges as [Range, Range?];
  const pairs = membersOf(a).flatMap(x => (b ? membersOf(b).map(y => [x, y]) : [[x]]));
  return pairs.filter(pair => {
    if (
      /(div|rem)/.test(op) &&
      (pair[1] === 0 || divisionFault(op, interval(pair[0]!, pair[0]!), interval(pair[1]!, pair[1]!)))
    )
      return false;
    const result = Number(BigInt.asIntN(bits, compute(op, pair.map(BigInt))));
    return (
      result < given.low ||
      result > given.high ||
      (given.values !== undefined && !given.values.includes(result))
    );
  });
}

const OPERATIONS = [...BINARY.flatMap(name => [`i32.${name}`, `i64.${name}`]), ...UNARY];

describe('the range of a result', () => {
  test.each(OPERATIONS)('contains the results of %s for all operands', op => {
    const count = UNARY.includes(op) ? 1 : 2;
    for (let i = 0; i < 400; i++) {
      const ranges = Array.from({ length: count }, randomRange);
      const given = rangeOf(op, ranges as [Range, Range?]);
      expect({ ranges, outliers: outliers(op, ranges, given) }).toEqual({ ranges, outliers: [] });
    }
  });

  test('is reported if it leaves out a result', () => {
    const ranges = [interval(0, 9), interval(1, 1)];
    expect(outliers('i32.add', ranges, interval(1, 10))).toEqual([]);
    expect(outliers('i32.add', ranges, interval(1, 9))).not.toEqual([]);
  });
});

describe('a division', () => {
  test.each([
    ['i32.div_u', interval(0, 9), interval(0, 3), true],
    ['i32.div_u', interval(0, 9), interval(1, 3), false],
    ['i32.rem_u', interval(0, 9), interval(-1, 3), true],
    ['i32.div_s', interval(-(2 ** 31), 9), interval(-1, -1), true],
    ['i32.div_s', interval(0, 9), interval(-1, -1), false],
  ])('%s of %j by %j traps: %s', (op, a, b, traps) => {
    expect(divisionFault(op, a, b) !== undefined).toBe(traps);
  });
});
