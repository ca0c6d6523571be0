// Ranges of words, which are read as signed integers. If there are few values, a range may list them.

export interface Range {
  readonly low: number;
  readonly high: number;
  /** All possible values, ascending. */
  readonly values?: readonly number[];
}

/** A 64-bit word of which nothing else is known. */
export const ANY64: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
export const ANY32: Range = { low: -(2 ** 31), high: 2 ** 31 - 1 };
const MOST_VALUES = 64;
const FEW = 16;
/** Beyond this, a 64-bit word counts as unknown. */
const EXACT = 2 ** 53;

export function interval(low: number, high: number): Range {
  return { low, high };
}

export function anyOf(bits: number): Range {
  return bits === 64 ? ANY64 : ANY32;
}

/** Returns the range of an interval of integers truncated to this many bits. */
export function wrapped(low: number, high: number, bits: number): Range {
  if (bits === 64) return low >= -EXACT && high <= EXACT ? { low, high } : ANY64;
  if (low >= ANY32.low && high <= ANY32.high) return { low, high };
  const by = Math.floor((low + 2 ** 31) / 2 ** 32) * 2 ** 32;
  return high - by <= ANY32.high ? { low: low - by, high: high - by } : ANY32;
}

export function ofValues(values: Iterable<number>): Range {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  return sorted.length <= MOST_VALUES ? { low, high, values: sorted } : { low, high };
}

/** Returns the values one by one, if there are few. */
export function valuesOf({ low, high, values }: Range): readonly number[] | undefined {
  if (values) return values;
  if (!(high - low < MOST_VALUES)) return undefined;
  return Array.from({ length: high - low + 1 }, (_, i) => low + i);
}

/** Returns whether there are few enough values to list them with a separate range. */
function isFew({ low, high, values }: Range): boolean {
  return values !== undefined || high - low < FEW;
}

/** Returns the smallest range that contains both ranges; it lists values if they are few. */
export function union(a: Range, b: Range): Range {
  if (a === b) return a;
  const low = Math.min(a.low, b.low);
  const high = Math.max(a.high, b.high);
  const isListed = (a.values || a.low === a.high) && (b.values || b.low === b.high);
  const isApart = a.high + 1 < b.low || b.high + 1 < a.low;
  if (!isListed && !(isApart && isFew(a) && isFew(b))) return { low, high };
  if (!isListed) return ofValues([...valuesOf(a)!, ...valuesOf(b)!]);
  return ofValues([...(a.values ?? [a.low]), ...(b.values ?? [b.low])]);
}

/** Returns the values that are in both ranges; undefined if there are none. */
export function intersection(a: Range, b: Range): Range | undefined {
  const low = Math.max(a.low, b.low);
  const high = Math.min(a.high, b.high);
  if (low > high) return undefined;
  const listed = a.values ?? b.values;
  if (!listed) return { low, high };
  const other = a.values ? b.values : undefined;
  const values = listed.filter(each => each >= low && each <= high && (!other || other.includes(each)));
  return values.length === 0 ? undefined : { low: values[0]!, high: values.at(-1)!, values };
}

export function isWithin(a: Range, b: Range): boolean {
  if (a.low < b.low || a.high > b.high) return false;
  if (!b.values) return true;
  return valuesOf(a)?.every(each => b.values!.includes(each)) ?? false;
}
