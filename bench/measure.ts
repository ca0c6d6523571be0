import { median } from '../testkit/time/median.js';

const BATCH_MS = 5;
const BATCHES = 60;

/** Milliseconds of processor time since `start`, which other programs on the machine affect little. */
export function processorMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Microseconds of each run. */
function timeBatch(work: () => unknown, runs: number): number {
  const start = process.cpuUsage();
  for (let i = 0; i < runs; i++) work();
  return (1000 * processorMs(start)) / runs;
}

/** Finds by doubling the number of runs that takes about BATCH_MS. This also warms the code up. */
function batchSize(work: () => unknown): number {
  let runs = 1;
  while (timeBatch(work, runs) * runs < BATCH_MS * 1000) runs *= 2;
  return runs;
}

export interface Timing {
  microseconds: number;
  /** The median of the ratios of all batches: the time of the first function, divided by the time of this one. */
  ratio: number;
}

/**
 * Measures the processor time of several functions in alternating batches, so that a disturbance affects all of them.
 * Returns the medians by the names of the functions.
 */
export function measure(works: Map<string, () => unknown>): Map<string, Timing> {
  const entries = [...works].map(([name, work]) => ({
    name,
    work,
    runs: batchSize(work),
    times: [] as number[],
  }));
  for (let batch = 0; batch < BATCHES; batch++) {
    for (const { work, runs, times } of entries) times.push(timeBatch(work, runs));
  }
  const first = entries[0]?.times ?? [];
  return new Map(
    entries.map(({ name, times }) => [
      name,
      { microseconds: median(times), ratio: median(times.map((time, batch) => (first[batch] ?? 0) / time)) },
    ]),
  );
}

/** Milliseconds of one run. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
