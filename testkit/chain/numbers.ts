/** Returns an integer from 0 to `below` − 1. */
export type Numbers = (below: number) => number;

/** Returns a generator of numbers that depend only on `seed` (mulberry32). */
export function seededNumbers(seed: number): Numbers {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function pick<T>(numbers: Numbers, values: readonly T[]): T {
  return values[numbers(values.length)]!;
}

export function randomBytes(numbers: Numbers, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => numbers(256)));
}
