// Machine words as terms over symbols; equal terms are one object. Sums are kept as coefficients of other
// terms, so that equal addresses are one term. Bounds decide most comparisons without a solver.
import { compute } from '../wasm/compute.js';

export interface Term {
  readonly id: number;
  readonly op: string;
  readonly bits: number;
  readonly parts: readonly Term[];
  /** Factors of a sum's parts. */
  readonly factors: readonly bigint[];
  /** The value of a constant, the constant part of a sum, or the first bit of a slice. */
  readonly constant: bigint;
  /** Bounds of the value, unsigned. */
  readonly low: bigint;
  readonly high: bigint;
  /** Name of a symbol. */
  readonly name: string;
}

const COMPARISONS = new Set(['eq', 'ult', 'slt', 'within', 'both']);

/** Returns whether a term's form shows that it is 0 or 1. */
export function isCondition(term: Term): boolean {
  return COMPARISONS.has(term.op) || term.op === 'not';
}

export function known(term: Term): bigint | undefined {
  return term.op === 'constant' ? term.constant : undefined;
}

const last = (bits: number) => (1n << BigInt(bits)) - 1n;

export class Terms {
  readonly #terms = new Map<string, Term>();

  constant(value: bigint, bits: number): Term {
    const constant = BigInt.asUintN(bits, value);
    return this.#make({ op: 'constant', bits, constant, low: constant, high: constant });
  }

  /** Returns a value of which only the bounds are known; the caller must assume them. */
  symbol(name: string, bits: number, low = 0n, high = last(bits)): Term {
    return this.#make({ op: 'symbol', bits, name, low, high });
  }

  /** Returns the condition, for the solver, that a symbol is within its bounds. */
  within(symbol: Term): Term {
    return this.#make({ op: 'within', bits: 32, parts: [symbol], high: 1n });
  }

  /** Returns the byte of the input at an address. */
  input(address: Term): Term {
    return this.#make({ op: 'input', bits: 8, parts: [address], high: 255n });
  }

  /** Returns a number of bits of a term, beginning at the bit `from`. */
  slice(of: Term, from: number, bits: number): Term {
    if (bits === of.bits) return of;
    const value = known(of);
    if (value !== undefined) return this.constant(value >> BigInt(from), bits);
    if (of.op === 'extend') {
      const [inner] = of.parts as [Term];
      if (from >= inner.bits) return this.constant(0n, bits);
      if (from + bits <= inner.bits) return this.slice(inner, from, bits);
      if (from === 0) return this.extend(inner, bits);
    }
    if (of.op === 'sum' && from === 0)
      return this.sum(
        bits,
        of.parts.map((part, i) => [this.slice(part, 0, bits), of.factors[i]!]),
        of.constant,
      );
    if (of.op === 'joined') {
      let at = from;
      for (const part of of.parts) {
        if (at < part.bits) {
          if (at + bits <= part.bits) return this.slice(part, at, bits);
          break;
        }
        at -= part.bits;
      }
    }
    const [low, high] = from === 0 && of.high <= last(bits) ? [of.low, of.high] : [0n, last(bits)];
    return this.#make({ op: 'slice', bits, parts: [of], constant: BigInt(from), low, high });
  }

  /** Returns the same value with more bits. */
  extend(of: Term, bits: number): Term {
    if (bits === of.bits) return of;
    const value = known(of);
    if (value !== undefined) return this.constant(value, bits);
    return this.#make({ op: 'extend', bits, parts: [of], low: of.low, high: of.high });
  }

  /** Concatenates terms, the lowest first. */
  join(parts: Term[]): Term {
    const [only] = parts as [Term];
    if (parts.length === 1) return only;
    const bits = parts.reduce((sum, part) => sum + part.bits, 0);
    if (parts.every(part => part.op === 'constant')) {
      return this.constant(
        parts.reduceRight((sum, part) => (sum << BigInt(part.bits)) | part.constant, 0n),
        bits,
      );
    }
    return this.#make({ op: 'joined', bits, parts, high: last(bits) });
  }

  /** Returns the sum of terms with factors, and a constant, modulo 2^bits. */
  sum(bits: number, summands: [Term, bigint][], constant = 0n): Term {
    const factors = new Map<Term, bigint>();
    let rest = constant;
    for (const [term, factor] of summands) {
      if (term.op === 'constant') rest += factor * term.constant;
      else if (term.op === 'sum') {
        rest += factor * term.constant;
        term.parts.forEach((part, i) => {
          factors.set(part, (factors.get(part) ?? 0n) + factor * term.factors[i]!);
        });
      } else factors.set(term, (factors.get(term) ?? 0n) + factor);
    }
    const parts = [...factors]
      .map(([part, factor]) => [part, BigInt.asIntN(bits, factor)] as const)
      .filter(([, factor]) => factor !== 0n)
      .sort(([a], [b]) => a.id - b.id);
    if (parts.length === 0) return this.constant(rest, bits);
    rest = BigInt.asIntN(bits, rest);
    if (parts.length === 1 && parts[0]![1] === 1n && rest === 0n) return parts[0]![0];
    let [low, high] = [rest, rest];
    for (const [part, factor] of parts) {
      low += factor * (factor < 0n ? part.high : part.low);
      high += factor * (factor < 0n ? part.low : part.high);
    }
    if (low < 0n && high < 0n) [low, high] = [low + (1n << BigInt(bits)), high + (1n << BigInt(bits))];
    if (low < 0n || high > last(bits)) [low, high] = [0n, last(bits)];
    return this.#make({
      op: 'sum',
      bits,
      parts: parts.map(([part]) => part),
      factors: parts.map(([, factor]) => factor),
      constant: rest,
      low,
      high,
    });
  }

  /** Returns a term plus another term or a number of the same width. */
  plus(a: Term, b: Term | number, factor = 1n): Term {
    if (typeof b === 'number') return this.sum(a.bits, [[a, 1n]], BigInt(b));
    return this.sum(a.bits, [
      [a, 1n],
      [b, factor],
    ]);
  }

  /** Returns the bytes of the input from an address on. */
  inputs(from: Term, count: number): Term[] {
    return Array.from({ length: count }, (_, i) => this.input(this.plus(from, i)));
  }

  eq(a: Term, b: Term): Term {
    if (a === b) return this.truth(true);
    if (a.low > b.high || b.low > a.high) return this.truth(false);
    const difference = this.sum(a.bits, [
      [a, 1n],
      [b, -1n],
    ]);
    if (difference.low > 0n) return this.truth(false);
    if (difference.op === 'constant') return this.truth(difference.constant === 0n);
    if (isCondition(a) && known(b) === 0n) return this.not(a);
    if (isCondition(a) && known(b) === 1n) return a;
    if (b.id < a.id) [a, b] = [b, a];
    return this.#make({ op: 'eq', bits: 32, parts: [a, b], high: 1n });
  }

  /** Returns the condition that both conditions hold. */
  both(a: Term, b: Term): Term {
    if (known(a) !== undefined) return known(a) !== 0n ? b : a;
    if (known(b) !== undefined) return known(b) !== 0n ? a : b;
    return this.#make({ op: 'both', bits: 32, parts: [a, b], high: 1n });
  }

  /** Returns the condition that at least one of these conditions holds. */
  any(conditions: readonly Term[]): Term {
    return conditions.reduce((a, b) => this.select(a, this.truth(true), b));
  }

  /** Returns the condition that a term has one of these values. */
  isOneOf(term: Term, values: readonly number[]): Term {
    return this.any(values.map(value => this.eq(term, this.constant(BigInt(value), term.bits))));
  }

  not(condition: Term): Term {
    const value = known(condition);
    if (value !== undefined) return this.truth(value === 0n);
    if (condition.op === 'not') return condition.parts[0]!;
    if (!isCondition(condition)) return this.eq(condition, this.constant(0n, condition.bits));
    return this.#make({ op: 'not', bits: 32, parts: [condition], high: 1n });
  }

  less(a: Term, b: Term, signed = false): Term {
    if (a === b) return this.truth(false);
    const half = 1n << BigInt(a.bits - 1);
    if (signed && (a.high >= half || b.high >= half)) {
      const aValue = known(a);
      const bValue = known(b);
      if (aValue !== undefined && bValue !== undefined)
        return this.truth(BigInt.asIntN(a.bits, aValue) < BigInt.asIntN(a.bits, bValue));
      return this.#make({ op: 'slt', bits: 32, parts: [a, b], high: 1n });
    }
    if (a.high < b.low) return this.truth(true);
    if (a.low >= b.high) return this.truth(false);
    return this.#make({ op: 'ult', bits: 32, parts: [a, b], high: 1n });
  }

  select(condition: Term, whole: Term, other: Term): Term {
    const value = known(condition);
    if (value !== undefined) return value !== 0n ? whole : other;
    if (whole === other) return whole;
    const test = isCondition(condition) ? condition : this.not(this.not(condition));
    return this.#make({
      op: 'select',
      bits: whole.bits,
      parts: [test, whole, other],
      low: whole.low < other.low ? whole.low : other.low,
      high: whole.high > other.high ? whole.high : other.high,
    });
  }

  truth(value: boolean): Term {
    return this.constant(value ? 1n : 0n, 32);
  }

  /** Returns the result of a numeric instruction. */
  apply(op: string, operands: readonly Term[]): Term {
    const bits = op.startsWith('i32') ? 32 : 64;
    const name = op.slice(4);
    const [first, second] = operands.map(each =>
      each.op === 'constant' && !name.startsWith('extend_i32') && name !== 'wrap_i64'
        ? this.constant(each.constant, bits)
        : each,
    ) as [Term, Term];
    if (operands.every(each => each.op === 'constant')) {
      const isTruth = /^(eqz?|ne|[lg][te]_[su])$/.test(name);
      return this.constant(
        compute(
          op,
          operands.map(each => each.constant),
        ),
        isTruth ? 32 : bits,
      );
    }
    const zero = this.constant(0n, bits);
    switch (name) {
      case 'add':
      case 'sub':
        return this.sum(bits, [
          [first, 1n],
          [second, name === 'add' ? 1n : -1n],
        ]);
      case 'mul':
        if (second.op === 'constant') return this.sum(bits, [[first, second.constant]]);
        if (first.op === 'constant') return this.sum(bits, [[second, first.constant]]);
        return this.#operation(name, bits, [first, second]);
      case 'shl':
        if (second.op === 'constant')
          return this.sum(bits, [[first, 1n << (second.constant % BigInt(bits))]]);
        return this.#operation(name, bits, [first, second]);
      case 'eqz':
        return isCondition(first) ? this.not(first) : this.eq(first, zero);
      case 'eq':
        return this.eq(first, second);
      case 'ne':
        return this.not(this.eq(first, second));
      case 'wrap_i64':
        return this.slice(first, 0, 32);
      case 'extend_i32_u':
        return this.extend(first, 64);
      case 'extend_i32_s':
        return first.high >> 31n === 0n ? this.extend(first, 64) : this.#operation(name, bits, [first]);
      case 'rem_s':
        return this.#remainder(first, second) ?? this.#operation(name, bits, [first, second]);
      default:
        return this.#comparison(name, first, second) ?? this.#operation(name, bits, [first, second]);
    }
  }

  /**
   * Returns the remainder of a sum that is not negative and did not wrap, if the divisor divides every
   * factor.
   */
  #remainder(of: Term, by: Term): Term | undefined {
    const divisor = known(by);
    const isPlain = of.op === 'sum' && of.constant >= 0n && of.high >> BigInt(of.bits - 1) === 0n;
    if (!divisor || !isPlain || of.factors.some(each => each < 0n || each % divisor !== 0n)) return undefined;
    return this.constant(of.constant % divisor, of.bits);
  }

  #comparison(name: string, a: Term, b: Term): Term | undefined {
    const [, relation, type] = /^([lg][te])_([su])$/.exec(name) ?? [];
    if (!relation) return undefined;
    const signed = type === 's';
    if (relation === 'lt') return this.less(a, b, signed);
    if (relation === 'gt') return this.less(b, a, signed);
    return this.not(relation === 'le' ? this.less(b, a, signed) : this.less(a, b, signed));
  }

  /** Returns an operation for the solver, with the bounds of its result. */
  #operation(op: string, bits: number, operands: Term[]): Term {
    const parts = operands.filter(each => each !== undefined);
    if (/^(and|or|xor)$/.test(op)) parts.sort((x, y) => x.id - y.id);
    const [a, b] = parts as [Term, Term];
    let [low, high] = [0n, last(bits)];
    if (op === 'and') high = a.high < b.high ? a.high : b.high;
    else if (op === 'or' || op === 'xor') high = last((a.high | b.high).toString(2).length);
    else if (op === 'shr_u' && b.op === 'constant') {
      const by = b.constant % BigInt(bits);
      [low, high] = [a.low >> by, a.high >> by];
    } else if (op === 'div_u' && b.low > 0n) [low, high] = [a.low / b.high, a.high / b.low];
    else if (op === 'rem_u' && b.low > 0n) high = a.high < b.high - 1n ? a.high : b.high - 1n;
    if (low === high) return this.constant(low, bits);
    return this.#make({ op, bits, parts, low, high });
  }

  #make(of: Partial<Term> & { op: string; bits: number }): Term {
    const term = { parts: [], factors: [], constant: 0n, low: 0n, high: 0n, name: '', ...of };
    const { op, bits, parts, factors, constant, low, high, name } = term;
    const key = `${op} ${bits} ${constant} ${name} ${parts.map(({ id }) => id)} ${factors} ${low} ${high}`;
    const present = this.#terms.get(key);
    if (present) return present;
    const made: Term = { ...term, id: this.#terms.size };
    this.#terms.set(key, made);
    return made;
  }
}
