import { median } from '../../../testkit/time/median.js';
import type { Sample } from './sample.js';

/** Maximum ratio of the last quarter's median to the second's; the first quarter is for warming up. */
const MAX_GROWTH = 1.15;
/** Fewer samples, at one per second, show garbage collection rather than leaks. */
const MIN_SAMPLES = 460;

export const RULE =
  `the median of memory in the last quarter is at most ${MAX_GROWTH} times that in the second (not checked in less than ` +
  'eight minutes), and no more descriptors are open after the load than before it';

/**
 * Describes how a process's memory grew over a run; undefined if it stayed flat or if the run is too short.
 */
export function memoryFault(samples: readonly Sample[]): string | undefined {
  if (samples.length < MIN_SAMPLES) return undefined;
  const [second, last] = [quarter(samples, 1), quarter(samples, 3)];
  const growth = last / second;
  return growth <= MAX_GROWTH
    ? undefined
    : `memory grew ${growth.toFixed(2)} times: ${mib(second)} to ${mib(last)}`;
}

function quarter(samples: readonly Sample[], at: number): number {
  const from = Math.floor((samples.length * at) / 4);
  const to = Math.floor((samples.length * (at + 1)) / 4);
  return median(samples.slice(from, to).map(({ memoryBytes }) => memoryBytes));
}

export function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** The error if a process at rest has more descriptors open than before; otherwise undefined. */
export function descriptorFault(before: number, after: number): string | undefined {
  return after <= before ? undefined : `${after} descriptors are open; before the load, ${before} were open`;
}
