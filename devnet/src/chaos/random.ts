/** The greatest seed. */
export const MAX_SEED = 2 ** 31 - 1;

/** A seed from 0 to MAX_SEED. */
export function drawSeed(): number {
  return Math.floor(Math.random() * (MAX_SEED + 1));
}

/**
 * Numbers from 0 to 1, reproducible by seed; for tests of hosts, not for anything that must be
 * unpredictable.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** The generator known as mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
