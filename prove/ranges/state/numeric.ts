// Results of the module's instructions on ranges.
import { compute32 } from '../../wasm/compute.js';
import { ANY32, ANY64, interval, ofValues, type Range, valuesOf, wrapped } from './range.js';

const MOST_PAIRS = 1024;
const truth = (isTrue: boolean, isFalse: boolean): Range =>
  isTrue ? interval(1, 1) : isFalse ? interval(0, 0) : interval(0, 1);
const isNatural = ({ low }: Range) => low >= 0;

function compare(name: string, a: Range, b: Range): Range {
  const [kind, sign] = name.split('_') as [string, string | undefined];
  if (kind === 'eq' || kind === 'ne') {
    const isSame = a.low === a.high && b.low === b.high && a.low === b.low;
    const isOther = a.low > b.high || b.low > a.high;
    return kind === 'eq' ? truth(isSame, isOther) : truth(isOther, isSame);
  }
  if (sign === 'u' && !(isNatural(a) && isNatural(b))) {
    const [aIsHigh, bIsHigh] = [a.high < 0, b.high < 0];
    if (aIsHigh && isNatural(b)) return truth(kind.startsWith('g'), kind.startsWith('l'));
    if (bIsHigh && isNatural(a)) return truth(kind.startsWith('l'), kind.startsWith('g'));
    if (!(aIsHigh && bIsHigh)) return interval(0, 1);
  }
  switch (kind) {
    case 'lt':
      return truth(a.high < b.low, a.low >= b.high && Number.isFinite(a.low));
    case 'gt':
      return truth(a.low > b.high, a.high <= b.low && Number.isFinite(a.high));
    case 'le':
      return truth(a.high <= b.low && Number.isFinite(a.high), a.low > b.high);
    default:
      return truth(a.low >= b.high && Number.isFinite(a.low), a.high < b.low);
  }
}

/** Returns the range of all natural numbers that have at most as many bits as the greatest of these. */
function upToBits(...highs: number[]): Range {
  const most = Math.max(...highs);
  return Number.isFinite(most) && most < 2 ** 53
    ? interval(0, 2 ** Math.ceil(Math.log2(most + 1)) - 1)
    : interval(0, Number.POSITIVE_INFINITY);
}

function divide(name: string, a: Range, b: Range, bits: 32 | 64): Range {
  const any = bits === 32 ? ANY32 : ANY64;
  const isSigned = name.endsWith('_s');
  const isDivision = name.startsWith('div');
  if (b.low < 1) return any;
  if (!isNatural(a)) {
    if (isSigned && isDivision && Number.isFinite(a.low) && Number.isFinite(a.high))
      return interval(Math.min(Math.trunc(a.low / b.low), 0), Math.max(Math.trunc(a.high / b.low), 0));
    if (isSigned) return isDivision || !Number.isFinite(b.high) ? any : interval(1 - b.high, b.high - 1);
    if (!isDivision) return interval(0, b.high - 1);
    const most = Math.floor(2 ** bits / b.low);
    if (b.low < 2) return any;
    return interval(0, most < 2 ** 53 ? most : Number.POSITIVE_INFINITY);
  }
  if (isDivision)
    return interval(Number.isFinite(b.high) ? Math.floor(a.low / b.high) : 0, Math.floor(a.high / b.low));
  if (a.high < b.low) return a;
  return interval(0, Math.min(a.high, b.high - 1));
}

function multiply(a: Range, b: Range, bits: 32 | 64): Range {
  const products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  if (products.some(each => !Number.isFinite(each))) return bits === 32 ? ANY32 : ANY64;
  const [low, high] = [Math.min(...products), Math.max(...products)];
  if (low === high && bits === 64 && low >= 0 && low < 2 ** 63) {
    // Doubles of this size may not be exact, so the product is checked as an integer.
    return BigInt(low) === BigInt(a.low) * BigInt(b.low) ? interval(low, high) : ANY64;
  }
  return Number.isSafeInteger(low) && Number.isSafeInteger(high)
    ? wrapped(low, high, bits)
    : bits === 32
      ? ANY32
      : ANY64;
}

function shiftRight(name: string, a: Range, by: number, bits: 32 | 64): Range {
  if (by === 0) return a;
  if (isNatural(a) || name === 'shr_s')
    return interval(Math.floor(a.low / 2 ** by), Math.floor(a.high / 2 ** by));
  return interval(0, bits - by <= 53 ? 2 ** (bits - by) - 1 : Number.POSITIVE_INFINITY);
}

function bitwise(name: string, a: Range, b: Range, bits: 32 | 64): Range {
  const any = bits === 32 ? ANY32 : ANY64;
  if (bits === 32) {
    const [x, y] = [valuesOf(a), valuesOf(b)];
    if (x && y && x.length * y.length <= MOST_PAIRS)
      return ofValues(x.flatMap(left => y.map(right => compute32(`i32.${name}`, left, right))));
  }
  const isNarrow = isNatural(a) && isNatural(b);
  switch (name) {
    case 'and':
      if (isNarrow) return interval(0, Math.min(a.high, b.high));
      if (isNatural(a)) return interval(0, a.high);
      return isNatural(b) ? interval(0, b.high) : any;
    case 'or':
      if (!isNarrow) return any;
      return interval(Math.max(a.low, b.low), upToBits(a.high, b.high).high);
    case 'xor':
      return isNarrow ? upToBits(a.high, b.high) : any;
  }
  if (b.low === b.high) {
    const by = b.low & (bits - 1);
    if (name === 'shl') return multiply(a, interval(2 ** by, 2 ** by), bits);
    return shiftRight(name, a, by, bits);
  }
  if (name !== 'shl' && isNatural(a)) return interval(0, a.high);
  return name === 'shr_s' ? interval(Math.min(a.low, 0), Math.max(a.high, 0)) : any;
}

function convert(op: string, a: Range): Range {
  if (op === 'i32.wrap_i64')
    return Number.isFinite(a.low) && Number.isFinite(a.high) ? wrapped(a.low, a.high, 32) : ANY32;
  if (op === 'i64.extend_i32_u') return isNatural(a) ? interval(a.low, a.high) : interval(0, 2 ** 32 - 1);
  if (op === 'i64.extend_i32_s') return interval(a.low, a.high);
  const half = 2 ** (Number(/extend(\d+)_s/.exec(op)![1]) - 1);
  return a.low >= -half && a.high < half ? a : interval(-half, half - 1);
}

/** Returns the range of an instruction's result. */
export function rangeOf(op: string, [a, b]: readonly [Range, Range?]): Range {
  const bits = op.startsWith('i64') ? 64 : 32;
  const name = op.slice(4);
  if (/wrap|extend/.test(name)) return convert(op, a);
  if (name === 'eqz') return truth(a.low === 0 && a.high === 0, a.low > 0 || a.high < 0);
  if (/^(clz|ctz|popcnt)$/.test(name)) return interval(0, bits);
  if (/^(eq|ne|lt|gt|le|ge)(_|$)/.test(name)) return compare(name, a, b!);
  if (name === 'add') return wrapped(a.low + b!.low, a.high + b!.high, bits);
  if (name === 'sub') return wrapped(a.low - b!.high, a.high - b!.low, bits);
  if (name === 'mul') return multiply(a, b!, bits);
  if (/^(div|rem)/.test(name)) return divide(name, a, b!, bits);
  if (/^rot/.test(name)) return bits === 32 ? ANY32 : ANY64;
  return bitwise(name, a, b!, bits);
}

/** Returns the fault that makes a division unsafe; undefined if it is safe. */
export function divisionFault(op: string, a: Range, b: Range): string | undefined {
  if (b.low <= 0 && b.high >= 0 && (!b.values || b.values.includes(0))) return 'the divisor may be 0';
  const least = op.startsWith('i32') ? ANY32.low : Number.NEGATIVE_INFINITY;
  const isWide = /div_s$/.test(op) && b.low <= -1 && b.high >= -1 && a.low <= least;
  return isWide ? 'the quotient may not fit' : undefined;
}
