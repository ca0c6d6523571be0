import { SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { UnprovenClaim } from '../control.js';
import type { Bit, Bits } from './word.js';

/** The expected frame, bit by bit. */
export class Picture {
  readonly #flips = new Map<number, Bit[]>();
  /** Number of rows from the top that are lit before drawing. */
  readonly #lit: number;

  constructor(lit = 0) {
    this.#lit = lit;
  }

  flip(x: number, y: number, bit: Bit): void {
    if (bit === 0) return;
    if (x < 0 || x >= SCREEN_WIDTH) throw new UnprovenClaim(`a picture beyond the screen's width`);
    const at = y * SCREEN_WIDTH + x;
    this.#flips.set(at, [...(this.#flips.get(at) ?? []), bit]);
  }

  bit(bits: Bits, at: number, before: Bit): Bit {
    const flips = this.#flips.get(at);
    const ground = at < this.#lit * SCREEN_WIDTH ? 1 : before;
    return flips ? flips.reduce((a, b) => bits.xor(a, b), ground) : ground;
  }
}
