import type { Chaos } from './chaos.js';

/** The faults of one request. */
export interface RequestFaults {
  delayMs: number;
  drop: boolean;
  busy: boolean;
  dropAfter: boolean;
}

/**
 * Draws the faults of a request. Draws the same number of random values for every request, so that the faults
 * depend only on the request's position.
 */
export function drawRequestFaults(
  { drop = 0, busy = 0, dropAfter = 0, delayMs = 0 }: Chaos,
  random: Random,
): RequestFaults {
  const [min, max] = typeof delayMs === 'number' ? [delayMs, delayMs] : delayMs;
  return {
    delayMs: Math.round(min + random.next() * (max - min)),
    drop: random.next() < drop,
    busy: random.next() < busy,
    dropAfter: random.next() < dropAfter,
  };
}

/** The greatest seed that `--chaos-seed` accepts. */
export const MAX_SEED = 2 ** 31 - 1;

/** Returns a random seed from 0 to MAX_SEED. */
export function randomSeed(): number {
  return Math.floor(Math.random() * (MAX_SEED + 1));
}

/**
 * Generates numbers from 0 to 1 that a seed reproduces. It is for tests of hosts, not for anything that must
 * be unpredictable.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns the next number of the generator mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
