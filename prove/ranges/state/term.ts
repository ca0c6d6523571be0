// Words as sums of words with known ranges, so that knowledge about a word applies to all words derived from
// it.
import { anyOf, interval, type Range } from './range.js';

export interface Term {
  readonly id: number;
  readonly bits: 32 | 64;
  /** `constant`, `symbol`, `sum`, or the creating instruction. */
  readonly op: string;
  readonly parts: readonly Term[];
  /** Factors of a sum's parts. */
  readonly factors: readonly number[];
  /** Value of a constant, or constant part of a sum. */
  readonly constant: number;
  /** Range at the term's creation. The range of a sum is computed in State. */
  readonly range: Range;
}

const MOST_PARTS = 5;
const LARGEST_FACTOR = 2 ** 16;
const NONE: readonly never[] = [];
const ONE = [1];
let count = 0;

export function symbol(bits: 32 | 64, range: Range = anyOf(bits)): Term {
  if (range.low === range.high) return constant(range.low, bits);
  return { id: ++count, bits, op: 'symbol', parts: NONE, factors: NONE, constant: 0, range };
}

export function constant(value: number, bits: 32 | 64): Term {
  const range = interval(value, value);
  return { id: ++count, bits, op: 'constant', parts: NONE, factors: NONE, constant: value, range };
}

export function makeTerm(op: string, bits: 32 | 64, parts: readonly Term[], range: Range): Term {
  if (range.low === range.high) return constant(range.low, bits);
  return { id: ++count, bits, op, parts, factors: NONE, constant: 0, range };
}

function shifted(term: Term, by: number): Term {
  const isSum = term.op === 'sum';
  const from = isSum ? term.constant + by : by;
  const value = from >= -(2 ** 31) && from < 2 ** 31 ? from : Number(BigInt.asIntN(32, BigInt(from)));
  if (value === (isSum ? term.constant : 0)) return term;
  const [parts, factors] = isSum ? [term.parts, term.factors] : [[term], ONE];
  if (isSum && value === 0 && parts.length === 1 && factors[0] === 1) return parts[0]!;
  return { id: ++count, bits: 32, op: 'sum', parts, factors, constant: value, range: anyOf(32) };
}

/** Returns the sum of 32-bit words with factors; undefined if it is too complex to keep. */
export function sum(summands: readonly (readonly [Term, number])[], plus = 0): Term | undefined {
  const [[first, once], second] = summands as [readonly [Term, number], (readonly [Term, number])?];
  if (once === 1 && first.op !== 'constant' && (!second || second[0].op === 'constant')) {
    const more = plus + (second ? second[1] * second[0].constant : 0);
    if (Number.isSafeInteger(more)) return shifted(first, more);
  }
  let rest = plus;
  const parts = new Map<Term, number>();
  const add = (term: Term, factor: number): void => {
    parts.set(term, (parts.get(term) ?? 0) + factor);
  };
  for (const [term, factor] of summands) {
    if (term.op === 'constant') rest += factor * term.constant;
    else if (term.op === 'sum') {
      rest += factor * term.constant;
      term.parts.forEach((part, i) => {
        add(part, factor * term.factors[i]!);
      });
    } else add(term, factor);
  }
  if (!Number.isSafeInteger(rest)) return undefined;
  const kept = [...parts].filter(([, factor]) => factor !== 0).sort(([a], [b]) => a.id - b.id);
  if (kept.length === 0) return constant(Number(BigInt.asIntN(32, BigInt(rest))), 32);
  if (kept.length > MOST_PARTS || kept.some(([, factor]) => Math.abs(factor) > LARGEST_FACTOR))
    return undefined;
  const value = Number(BigInt.asIntN(32, BigInt(rest)));
  const [only] = kept;
  if (kept.length === 1 && only![1] === 1 && value === 0) return only![0];
  const factors = kept.map(([, factor]) => factor);
  const words = kept.map(([term]) => term);
  return { id: ++count, bits: 32, op: 'sum', parts: words, factors, constant: value, range: anyOf(32) };
}
