import { type NodeAddress, nodeKey } from '../base/node-address.js';
import { CACHE_RESULTS, type CacheResult } from '../cache/immutable-cache.js';
import type { NodeHealth } from '../nodes/node-directory.js';

/** What one step of the last hour is, and how many there are. */
export const STEP_SECONDS = 30;
const STEPS = 120;

const LEAST_MS = 0.25;
const CLASSES_PER_DOUBLING = 4;
/** From 0.25 ms to 65 seconds. */
export const DURATION_CLASSES = 18 * CLASSES_PER_DOUBLING;

/** The class of a duration: four to a doubling, so that a percentile is at most 19 % off. */
export function classOf(milliseconds: number): number {
  const exact = Math.floor(Math.log2(Math.max(milliseconds, LEAST_MS) / LEAST_MS) * CLASSES_PER_DOUBLING);
  return Math.min(exact, DURATION_CLASSES - 1);
}

/** The time in milliseconds within which a share of all were done; null if there were none. */
export function percentileOf(counts: ArrayLike<number>, share: number): number | null {
  const all = Array.from(counts);
  const rank = share * all.reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [index, count] of all.entries()) {
    if (count > 0 && before + count >= rank) {
      return LEAST_MS * 2 ** ((index + (rank - before) / count) / CLASSES_PER_DOUBLING);
    }
    before += count;
  }
  return null;
}

/** Nodes after these are left out, which a public registry may name any number of. */
const MAX_NODES = 24;

/** The row of a step: answers by class of status, durations, reads from memory. */
const STATUSES = 5;
const DURATIONS = STATUSES;
const READS = DURATIONS + DURATION_CLASSES;
const WIDTH = READS + CACHE_RESULTS.length;

/** The row of a node in a step. */
const [HEIGHT, LATENCY, ANSWERED, FAILED, NODE_WIDTH] = [0, 1, 2, 3, 4];

/** A value for each of the STEPS of the last hour, the oldest first. */
export interface LastHour {
  /** Answers by the first digit of their status. */
  answers: Record<string, number[]>;
  /** In milliseconds; null without a request. */
  p50: (number | null)[];
  p99: (number | null)[];
  reads: Record<CacheResult, number[]>;
  /** Null while a node did not answer its checks, and before its first. */
  nodes: (NodeAddress & { heights: (number | null)[]; latencies: (number | null)[] })[];
}

/** Rows of numbers for the last STEPS steps of a clock; its memory is fixed. */
class TimeRing {
  readonly #width: number;
  readonly #steps = new Int32Array(STEPS).fill(-1);
  readonly #values: Float64Array;

  constructor(width: number) {
    this.#width = width;
    this.#values = new Float64Array(STEPS * width);
  }

  /** The numbers of a step, to change; zeros when it is new. */
  row(step: number): Float64Array {
    const row = this.#slot(step);
    if (this.#steps[step % STEPS] !== step) row.fill(0);
    this.#steps[step % STEPS] = step;
    return row;
  }

  /** Those of the steps up to the newest; zeros where nothing was counted. */
  rows(newest: number): Float64Array[] {
    return Array.from({ length: STEPS }, (_, index) => {
      const step = newest - STEPS + 1 + index;
      const isCounted = step >= 0 && this.#steps[step % STEPS] === step;
      return isCounted ? this.#slot(step) : new Float64Array(this.#width);
    });
  }

  #slot(step: number): Float64Array {
    const first = (step % STEPS) * this.#width;
    return this.#values.subarray(first, first + this.#width);
  }
}

/** Counts what the pictures of the last hour show, in bounded memory. */
export class History {
  readonly #seconds: () => number;
  readonly #ring = new TimeRing(WIDTH);
  #nodes: readonly (NodeAddress & { ring: TimeRing })[] = [];

  /** `seconds` of a clock that nobody sets. */
  constructor(seconds = () => performance.now() / 1000) {
    this.#seconds = seconds;
  }

  /** `milliseconds` is left out for a request that waited because it was asked to. */
  countAnswer(status: number, milliseconds: number | undefined): void {
    const row = this.#ring.row(this.#step());
    const digit = Math.floor(status / 100);
    if (digit >= 1 && digit <= STATUSES) row[digit - 1]! += 1;
    if (milliseconds !== undefined) row[DURATIONS + classOf(milliseconds)]! += 1;
  }

  countCacheRead(result: CacheResult): void {
    this.#ring.row(this.#step())[READS + CACHE_RESULTS.indexOf(result)]! += 1;
  }

  countCheck(address: NodeAddress, { answers, height, latencyMs }: NodeHealth): void {
    const ring = this.#nodes.find(node => nodeKey(node) === nodeKey(address))?.ring;
    if (ring === undefined) return;
    const row = ring.row(this.#step());
    if (!answers) {
      row[FAILED]! += 1;
      return;
    }
    // Drawn only: the exact height is in the node's health.
    row[HEIGHT] = Number(height ?? 0n);
    row[LATENCY]! += latencyMs ?? 0;
    row[ANSWERED]! += 1;
  }

  /** Drops nodes that are no longer admitted. */
  keepOnly(nodes: readonly NodeAddress[]): void {
    const known = new Map(this.#nodes.map(node => [nodeKey(node), node]));
    this.#nodes = nodes
      .slice(0, MAX_NODES)
      .map(
        ({ ip, port }) => known.get(nodeKey({ ip, port })) ?? { ip, port, ring: new TimeRing(NODE_WIDTH) },
      );
  }

  lastHour(): LastHour {
    const now = this.#step();
    const rows = this.#ring.rows(now);
    const column = (index: number) => rows.map(row => row[index]!);
    const reads = (result: CacheResult) => column(READS + CACHE_RESULTS.indexOf(result));
    const times = rows.map(row => row.subarray(DURATIONS, READS));
    const digits = Array.from({ length: STATUSES }, (_, index) => [`${index + 1}`, column(index)]);
    return {
      answers: Object.fromEntries(digits),
      p50: times.map(counts => percentileOf(counts, 0.5)),
      p99: times.map(counts => percentileOf(counts, 0.99)),
      reads: { hit: reads('hit'), shared: reads('shared'), miss: reads('miss') },
      nodes: this.#nodes.map(({ ip, port, ring }) => ({ ip, port, ...nodeHistory(ring.rows(now)) })),
    };
  }

  #step(): number {
    return Math.floor(this.#seconds() / STEP_SECONDS);
  }
}

/** A step without a check repeats the one before it. */
function nodeHistory(rows: readonly Float64Array[]) {
  const heights: (number | null)[] = [];
  const latencies: (number | null)[] = [];
  for (const row of rows) {
    const answered = row[ANSWERED]!;
    const isRepeated = answered === 0 && row[FAILED] === 0;
    const last = isRepeated ? { height: heights.at(-1), latency: latencies.at(-1) } : {};
    heights.push(answered === 0 ? (last.height ?? null) : row[HEIGHT]!);
    latencies.push(answered === 0 ? (last.latency ?? null) : row[LATENCY]! / answered);
  }
  return { heights, latencies };
}
