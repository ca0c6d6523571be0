import { median } from '../../bench/measure.js';
import type { Sample } from './sample.js';

/** The median of the last quarter may be so many times that of the second; the first is for warming up. */
const MAX_GROWTH = 1.15;
/** Fewer, one a second, tell of garbage collection rather than of leaks. */
const MIN_SAMPLES = 460;

export const RULE =
  `the median of memory in the last quarter is at most ${MAX_GROWTH} times that in the second (not judged in less than ` +
  'eight minutes), and no more descriptors are open after the load than before it';

/** What is wrong with a process' memory over a run, one sample after another; undefined when it is flat, or too short to tell. */
export function judgeMemory(samples: readonly Sample[]): string | undefined {
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

/** What is wrong when a process has more descriptors open at rest than it had. */
export function judgeDescriptors(before: number, after: number): string | undefined {
  return after <= before ? undefined : `${after} descriptors are open, ${before} were before the load`;
}
