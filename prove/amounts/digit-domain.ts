// Executes the module's instructions on numbers whose digits are known.

import { UnprovenClaim } from '../control.js';
import { compute } from '../wasm/compute.js';
import type { Domain } from '../wasm/machine.js';
import type { WasmModule } from '../wasm/module.js';
import { PlacedMemory } from '../wasm/placed-memory.js';
import type { Place } from '../wasm/places.js';
import type { Slice, Zeros } from './digits.js';

/** Number of digits of any 64-bit number, and of any sum of three. */
export const DIGITS = 20;

interface Fixed {
  readonly kind: 'fixed';
  readonly value: bigint;
}

/** The character of a digit. */
export interface Character {
  readonly kind: 'character';
  readonly digit: Slice;
}

/** One of two values, depending on whether a slice is 0. */
interface Choice {
  readonly kind: 'choice';
  readonly zero: Slice;
  readonly whole: Value;
  readonly other: Value;
}

/** A signed 64-bit integer with any value. */
interface Signed {
  readonly kind: 'signed';
  readonly of: string;
}

/** Part of a sum of numbers: the sum of their low digits, its carry, or the sum of their high digits. */
interface Parts {
  readonly kind: 'low parts' | 'carry' | 'high parts';
  readonly of: readonly string[];
  readonly digits: number;
}

export type Value = Fixed | Slice | Character | Choice | Signed | Parts;

const ZERO = 48n;

export const fixed = (value: bigint): Fixed => ({ kind: 'fixed', value });
export const number = (of: string, low = 0, high = DIGITS): Slice => ({ kind: 'slice', of, low, high });

/** Returns the exponent of a power of ten. */
function exponent(value: Value): number {
  const at =
    value.kind === 'fixed'
      ? Array.from({ length: DIGITS }, (_, i) => 10n ** BigInt(i)).indexOf(value.value)
      : -1;
  if (at < 0) throw new UnprovenClaim('a divisor is not a power of ten');
  return at;
}

function slice(of: string, low: number, high: number): Value {
  return low < high ? { kind: 'slice', of, low, high } : fixed(0n);
}

export class DigitDomain extends PlacedMemory<Value> implements Domain<Value> {
  readonly #zeros: Zeros;
  readonly #memory = new Map<number, Value>();

  constructor(module: WasmModule, zeros: Zeros, places: readonly Place[]) {
    super(module, places);
    this.#zeros = zeros;
  }

  constant(value: bigint, bits: 32 | 64): Value {
    return fixed(BigInt.asUintN(bits, value));
  }

  apply(op: string, operands: Value[]): Value {
    const sign = this.#ofSigned(op, operands);
    if (sign) return sign;
    const given = operands.map(each => this.#resolved(each));
    const values = given.flatMap(each => (each.kind === 'fixed' ? [each.value] : []));
    if (values.length === given.length) return fixed(compute(op, values));
    const [a, b] = given as [Value, Value];
    const [, name] = op.split('.') as [string, string];
    const isZero = (value: Value | undefined) => value?.kind === 'fixed' && value.value === 0n;
    if (a.kind === 'slice') {
      const { of, low, high } = a;
      if (name === 'div_u') return slice(of, low + exponent(b), high);
      if (name === 'rem_u') return slice(of, low, Math.min(high, low + exponent(b)));
      if (name === 'eqz') return fixed(this.#zeros.isZero(a) ? 1n : 0n);
      if (name === 'wrap_i64' && high === low + 1) return a;
      if (name === 'add' && high === low + 1 && b.kind === 'fixed' && b.value === ZERO)
        return { kind: 'character', digit: a };
    }
    if (a.kind === 'character' && b.kind === 'fixed' && b.value === ZERO && /^(eq|ne)$/.test(name))
      return fixed(this.#zeros.isZero(a.digit) === (name === 'eq') ? 1n : 0n);
    if (name === 'add' && isZero(a)) return b;
    if (name === 'add' && isZero(b)) return a;
    if (name === 'add') return add(a, b);
    if (a.kind === 'low parts' && name === 'div_u' && exponent(b) === a.digits)
      return { ...a, kind: 'carry' };
    if (a.kind === 'low parts' && name === 'rem_u' && exponent(b) === a.digits)
      return slice(a.of.join('+'), 0, a.digits);
    throw new UnprovenClaim(`${op} is not supported for operands of kind ${given.map(({ kind }) => kind)}`);
  }

  /** Compares a signed number with 0, or negates it. Returns undefined for any other instruction. */
  #ofSigned(op: string, [a, b]: Value[]): Value | undefined {
    const isZero = (value: Value | undefined) => value?.kind === 'fixed' && value.value === 0n;
    if (op === 'i64.lt_s' && a!.kind === 'signed' && isZero(b))
      return fixed(this.#zeros.isNegative(a!.of) ? 1n : 0n);
    if (op !== 'i64.sub' || b?.kind !== 'signed' || !isZero(a)) return undefined;
    const of = `-${b.of}`;
    return this.#zeros.isNegative(b.of) ? number(of) : { kind: 'signed', of };
  }

  decide(condition: Value): boolean {
    const value = this.#resolved(condition);
    if (value.kind === 'slice') return !this.#zeros.isZero(value);
    if (value.kind !== 'fixed') throw new UnprovenClaim(`a branch depends on a value of kind ${value.kind}`);
    return value.value !== 0n;
  }

  select(condition: Value, whole: Value, other: Value): Value {
    const value = this.#resolved(condition);
    if (value.kind === 'slice') return { kind: 'choice', zero: value, whole, other };
    return this.decide(value) ? whole : other;
  }

  peek(at: number, bytes: number): Value {
    const only = this.#memory.get(at);
    if (bytes === 1 && only) return only;
    let value = 0n;
    for (let i = bytes - 1; i >= 0; i--) {
      const byte = this.#memory.get(at + i) ?? fixed(BigInt(this.module.memory[at + i]!));
      if (byte.kind !== 'fixed')
        throw new UnprovenClaim('a load of several bytes reads a byte that is not fixed');
      value = (value << 8n) | byte.value;
    }
    return fixed(value);
  }

  put(at: number, bytes: number, given: Value): void {
    const value = this.#resolved(given);
    if (value.kind !== 'fixed') {
      if (bytes !== 1 || value.kind !== 'character')
        throw new UnprovenClaim(`${bytes} bytes of kind ${value.kind} are stored`);
      this.#memory.set(at, value);
      return;
    }
    for (let i = 0; i < bytes; i++) this.#memory.set(at + i, fixed((value.value >> BigInt(8 * i)) & 0xffn));
  }

  protected fixed(value: Value): number {
    const known = this.#resolved(value);
    if (known.kind !== 'fixed') throw new UnprovenClaim(`an address is a value of kind ${known.kind}`);
    return Number(known.value);
  }

  #resolved(value: Value): Value {
    let found = value;
    while (found.kind === 'choice') found = this.#zeros.isZero(found.zero) ? found.other : found.whole;
    return found.kind === 'signed' && !this.#zeros.isNegative(found.of) ? number(found.of) : found;
  }
}

/** Adds the low digits of several numbers, or their high digits and the carry. */
function add(a: Value, b: Value): Value {
  const parts = [a, b].map(each => partsOf(each));
  const [x, y] = parts;
  if (!x || !y || x.digits !== y.digits) throw new UnprovenClaim(`${a.kind} and ${b.kind} cannot be added`);
  if (x.kind === 'low parts' && y.kind === 'low parts') return { ...x, of: [...x.of, ...y.of] };
  if (x.kind === 'low parts' || y.kind === 'low parts')
    throw new UnprovenClaim('low digits are added to high digits');
  const of = [...(x.kind === 'carry' ? [] : x.of), ...(y.kind === 'carry' ? [] : y.of)];
  const carried = x.kind === 'carry' ? x.of : y.kind === 'carry' ? y.of : undefined;
  if (!carried) return { ...x, kind: 'high parts', of };
  // ⌊a/u⌋ + ⌊b/u⌋ + ⌊(a mod u + b mod u)/u⌋ = ⌊(a + b)/u⌋.
  if (carried.join() !== of.join())
    throw new UnprovenClaim('a carry is added to the high digits of other numbers');
  return slice(of.join('+'), x.digits, DIGITS);
}

function partsOf(value: Value): Parts | undefined {
  if (value.kind === 'carry' || value.kind === 'high parts' || value.kind === 'low parts') return value;
  if (value.kind !== 'slice') return undefined;
  const { of, low, high } = value;
  if (low === 0 && high < DIGITS) return { kind: 'low parts', of: [of], digits: high };
  return high === DIGITS ? { kind: 'high parts', of: [of], digits: low } : undefined;
}
