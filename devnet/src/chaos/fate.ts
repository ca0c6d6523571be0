import type { Chaos } from './chaos.js';
import type { Random } from './random.js';

/** What happens to one request. */
export interface Fate {
  delayMs: number;
  drop: boolean;
  busy: boolean;
  dropAfter: boolean;
}

/** Draws equally many numbers for every request, so that its fate depends only on how many came before. */
export function drawFate({ drop = 0, busy = 0, dropAfter = 0, delayMs = 0 }: Chaos, random: Random): Fate {
  const [min, max] = typeof delayMs === 'number' ? [delayMs, delayMs] : delayMs;
  return {
    delayMs: Math.round(min + random.next() * (max - min)),
    drop: random.next() < drop,
    busy: random.next() < busy,
    dropAfter: random.next() < dropAfter,
  };
}
