// Compares the texts that the shipped module writes for amounts with the correct ones, for all 64-bit
// amounts.
import { UnprovenClaim } from '../control.js';
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { type Place, readable, writable } from '../wasm/places.js';
import { type Character, DIGITS, DigitDomain, fixed, number, type Value } from './digit-domain.js';
import { type Slice, Zeros } from './digits.js';
import { ARENA_SIZE, FIRST_ITEM, ITEM_LENGTH, type Layout, readLayout, USED } from './layout.js';

/**
 * The greatest number of decimals for which the proof holds. The coin has 8 decimals, and the signer accepts
 * at most 8 for a token.
 */
const MOST_DECIMALS = 18;
const COIN_DECIMALS = 8;
const COIN = ' ZBC';

/** Used bytes of the arena before a value is written: the value fits, fits in part, or does not fit. */
const STARTS = [0, ARENA_SIZE - 8, ARENA_SIZE];

/**
 * Returns the correct text of the number `of` with `decimals` decimals. `zeros` has the digits that are known
 * to be 0 on this path.
 */
function expected(zeros: Zeros, of: string, decimals: number): Value[] {
  const digit = (at: number): Slice => number(of, at, at + 1);
  const character = (at: number): Character => ({ kind: 'character', digit: digit(at) });
  let first = DIGITS - 1;
  while (first > decimals && zeros.hasDecided(digit(first))) first--;
  let last = 0;
  while (last < decimals && zeros.hasDecided(digit(last))) last++;
  const whole = Array.from({ length: first - decimals + 1 }, (_, i) => character(first - i));
  const fraction = Array.from({ length: decimals - last }, (_, i) => character(decimals - 1 - i));
  return fraction.length === 0 ? whole : [...whole, ...text('.'), ...fraction];
}

const text = (of: string): Value[] => [...of].map(each => fixed(BigInt(each.charCodeAt(0))));

function same(a: Value, b: Value, zeros: Zeros): boolean {
  if (a.kind === 'fixed' && b.kind === 'fixed') return a.value === b.value;
  if (a.kind === 'character' && b.kind === 'character')
    return a.digit.of === b.digit.of && a.digit.low === b.digit.low;
  const [character, other] = a.kind === 'character' ? [a, b] : [b, a];
  if (character.kind !== 'character' || other.kind !== 'fixed') return false;
  return other.value === 48n && zeros.hasDecided(character.digit);
}

export class AmountProof {
  accesses = 0;
  paths = 0;
  readonly #module: WasmModule;
  readonly #layout: Layout;

  constructor(module: WasmModule) {
    [this.#module, this.#layout] = [module, readLayout(module)];
  }

  /** Proves putScaled for any 64-bit number with 0 to 18 decimals. */
  proveScaled(): void {
    for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
      const starts = decimals === COIN_DECIMALS ? STARTS : [0];
      this.#prove('putScaled', [number('v'), fixed(BigInt(decimals))], starts, zeros =>
        expected(zeros, 'v', decimals),
      );
    }
  }

  /** Proves putDecimal for any 64-bit number. */
  proveDecimal(): void {
    this.#prove('putDecimal', [number('v')], STARTS, zeros => expected(zeros, 'v', 0));
  }

  /** Proves putSignedDecimal for any signed 64-bit number. */
  proveSigned(): void {
    this.#prove('putSignedDecimal', [{ kind: 'signed', of: 'v' }], STARTS, zeros =>
      zeros.isNegative('v') ? [...text('-'), ...expected(zeros, '-v', 0)] : expected(zeros, 'v', 0),
    );
  }

  /** Proves that putCoinSum writes the exact sum of any three amounts. */
  proveSum(): void {
    const three = ['a', 'b', 'c'];
    this.#prove(
      'putCoinSum',
      three.map(name => number(name)),
      [0, ARENA_SIZE - 3],
      zeros => [...expected(zeros, three.join('+'), COIN_DECIMALS), ...text(COIN)],
    );
  }

  #prove(
    name: string,
    parameters: Value[],
    starts: readonly number[],
    wanted: (zeros: Zeros) => Value[],
  ): void {
    for (const used of starts) this.#proveAt(used, name, parameters, wanted);
  }

  #proveAt(used: number, name: string, parameters: Value[], wanted: (zeros: Zeros) => Value[]): void {
    const { items, arena, digits } = this.#layout;
    const zeros = new Zeros();
    zeros.explore(() => {
      const domain = new DigitDomain(this.#module, zeros, [
        writable(items, FIRST_ITEM),
        writable(items + FIRST_ITEM + ITEM_LENGTH, 4),
        writable(arena, ARENA_SIZE),
        writable(digits, DIGITS),
        this.#coin(),
      ]);
      domain.put(items, 4, fixed(1n));
      domain.put(items + USED, 4, fixed(BigInt(used)));
      new Machine(this.#module, domain).call(functionIndex(this.#module, name), parameters);
      const all = wanted(zeros);
      const kept = all.slice(0, ARENA_SIZE - used);
      const length = domain.peek(items + FIRST_ITEM + ITEM_LENGTH, 4);
      if (length.kind !== 'fixed' || length.value !== BigInt(kept.length))
        throw new UnprovenClaim(`${name} writes a wrong number of characters`);
      const overflowed = domain.peek(items + USED + 4, 1);
      if (overflowed.kind !== 'fixed' || overflowed.value !== (kept.length < all.length ? 1n : 0n))
        throw new UnprovenClaim(`${name} reports wrongly whether the value fits`);
      kept.forEach((each, i) => {
        if (!same(domain.peek(arena + used + i, 1), each, zeros))
          throw new UnprovenClaim(`${name} writes a wrong character`);
      });
      this.accesses += domain.accesses;
    });
    this.paths += zeros.paths;
  }

  /** Returns the literal that follows a sum: its length, then its characters. */
  #coin(): Place {
    const characters = Buffer.from(COIN, 'utf16le');
    const length = Buffer.from([characters.length, 0, 0, 0]);
    const start = Buffer.from(this.#module.memory).indexOf(Buffer.concat([length, characters]));
    return readable(start, length.length + characters.length);
  }
}
