// Executes the module's instructions on the words of word.ts.

import { UnprovenClaim } from '../control.js';
import { compute } from '../wasm/compute.js';
import type { Domain } from '../wasm/machine.js';
import type { WasmModule } from '../wasm/module.js';
import { PlacedMemory } from '../wasm/placed-memory.js';
import type { Place } from '../wasm/places.js';
import type { Word, Words } from './word.js';

const WORD32 = 0xffffffffn;

export class WordDomain extends PlacedMemory<Word> implements Domain<Word> {
  /** Called when a loop or branch is decided. */
  onDecide: (() => void) | undefined;
  readonly #words: Words;
  readonly #memory = new Map<number, Word>();

  constructor(module: WasmModule, words: Words, places: readonly Place[]) {
    super(module, places);
    this.#words = words;
  }

  constant(value: bigint, bits: 32 | 64): Word {
    return this.#words.constant(BigInt.asUintN(bits, value));
  }

  apply(op: string, operands: Word[]): Word {
    const values = operands.map(({ value }) => value);
    if (values.every(each => each !== undefined)) return this.#words.constant(compute(op, values));
    const [a, b] = operands as [Word, Word];
    const words = this.#words;
    const is32 = op.startsWith('i32');
    const cut = (word: Word) => (is32 ? words.and(word, words.constant(WORD32)) : word);
    const by = values[1] === undefined ? undefined : values[1] % (is32 ? 32n : 64n);
    const name = op.slice(4);
    if (name === 'xor') return words.xor(a, b);
    if (name === 'and') return words.and(a, b);
    if (name === 'or') return words.or(a, b);
    if (name === 'add') return cut(words.add(a, b));
    if (name === 'sub' && values[1] !== undefined) return cut(words.add(a, cut(words.constant(-values[1]))));
    if (name === 'wrap_i64') return words.and(a, words.constant(WORD32));
    if (name === 'extend_i32_u') return a;
    if (by !== undefined && name === 'shl') return cut(words.shift(a, by));
    if (by !== undefined && name === 'shr_u') return words.shift(a, -by);
    if (by !== undefined && /^rot[lr]$/.test(name)) {
      const left = name === 'rotl' ? by : -by;
      if (!is32) return words.rotate(a, left);
      const up = (left + 32n) % 32n;
      return words.xor(cut(words.shift(a, up)), words.shift(a, up - 32n));
    }
    throw new UnprovenClaim(`${op} is not supported on words that are not fixed`);
  }

  decide(condition: Word): boolean {
    this.onDecide?.();
    if (condition.value === undefined)
      throw new UnprovenClaim('a branch depends on a word that is not fixed');
    return condition.value !== 0n;
  }

  select(condition: Word, whole: Word, other: Word): Word {
    return this.decide(condition) ? whole : other;
  }

  peek(at: number, bytes: number): Word {
    const words = this.#words;
    let whole = words.constant(0n);
    for (let i = 0; i < bytes; i++) {
      const byte = this.#memory.get(at + i) ?? words.constant(BigInt(this.module.memory[at + i]!));
      whole = words.xor(whole, words.shift(byte, BigInt(8 * i)));
    }
    return whole;
  }

  put(at: number, bytes: number, value: Word): void {
    const words = this.#words;
    for (let i = 0; i < bytes; i++)
      this.#memory.set(at + i, words.and(words.shift(value, BigInt(-8 * i)), words.constant(0xffn)));
  }

  protected fixed({ value }: Word): number {
    if (value === undefined) throw new UnprovenClaim('an address is not fixed');
    return Number(value);
  }
}
