import { type NodeAddress, nodeKey } from '../base/node-address.js';
import { CACHE_RESULTS, type CacheResult } from '../cache/immutable-cache.js';
import type { NodeHealth } from '../nodes/node-directory.js';
import { type RingCopy, rowsOf, STEP_SECONDS, STEPS, TimeRing } from './time-ring.js';

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

interface NodeCounts extends NodeAddress {
  counts: RingCopy;
}

/** The last hour of one process. */
export interface HistoryCounts {
  /** The step that runs. */
  now: number;
  counts: RingCopy;
  nodes: readonly NodeCounts[];
}

/** The last hour of all processes: STEPS values of everything, the oldest first. */
export interface History {
  /** Answers by the first digit of their status. */
  answers: Record<string, number[]>;
  /** In milliseconds; null without a request. */
  p50: (number | null)[];
  p99: (number | null)[];
  reads: Record<CacheResult, number[]>;
  /** Null while a node did not answer its checks, and before its first. */
  nodes: (NodeAddress & { heights: (number | null)[]; latencies: (number | null)[] })[];
}

interface NodeRing extends NodeAddress {
  ring: TimeRing;
}

/** Counts what the pictures of the last hour show, in bounded memory. */
export class HistoryRecorder {
  readonly #seconds: () => number;
  readonly #ring = new TimeRing(WIDTH);
  #nodes: readonly NodeRing[] = [];

  /** `seconds` of a clock that all processes of the machine share and nobody sets. */
  constructor(seconds: () => number = machineSeconds) {
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

  counts(): HistoryCounts {
    return {
      now: this.#step(),
      counts: this.#ring.copy(),
      nodes: this.#nodes.map(({ ip, port, ring }) => ({ ip, port, counts: ring.copy() })),
    };
  }

  #step(): number {
    return Math.floor(this.#seconds() / STEP_SECONDS);
  }
}

function machineSeconds(): number {
  const [seconds] = process.hrtime();
  return seconds;
}

/** The last hour of several processes of a machine. */
export function sumHistory(all: readonly HistoryCounts[]): History {
  const now = Math.max(0, ...all.map(each => each.now));
  const rows = sumRows(
    all.map(each => each.counts),
    now,
    WIDTH,
  );
  const column = (index: number) => rows.map(row => row[index]!);
  const reads = (result: CacheResult) => column(READS + CACHE_RESULTS.indexOf(result));
  const times = rows.map(row => row.subarray(DURATIONS, READS));
  const digits = Array.from({ length: STATUSES }, (_, index) => [`${index + 1}`, column(index)]);
  const addresses = new Map(all.flatMap(({ nodes }) => nodes.map(node => [nodeKey(node), node] as const)));
  return {
    answers: Object.fromEntries(digits),
    p50: times.map(counts => percentileOf(counts, 0.5)),
    p99: times.map(counts => percentileOf(counts, 0.99)),
    reads: { hit: reads('hit'), shared: reads('shared'), miss: reads('miss') },
    nodes: [...addresses].map(([key, { ip, port }]) => {
      const rings = all.flatMap(({ nodes }) => nodes.filter(node => nodeKey(node) === key));
      return {
        ip,
        port,
        ...nodeHistory(
          rings.map(({ counts }) => counts),
          now,
        ),
      };
    }),
  };
}

/** A step without a check repeats the one before it. */
function nodeHistory(rings: readonly RingCopy[], now: number) {
  const heights: (number | null)[] = [];
  const latencies: (number | null)[] = [];
  for (const row of sumRows(rings, now, NODE_WIDTH, [HEIGHT])) {
    const answered = row[ANSWERED]!;
    const isRepeated = answered === 0 && row[FAILED] === 0;
    heights.push(isRepeated ? (heights.at(-1) ?? null) : answered === 0 ? null : row[HEIGHT]!);
    latencies.push(
      isRepeated ? (latencies.at(-1) ?? null) : answered === 0 ? null : row[LATENCY]! / answered,
    );
  }
  return { heights, latencies };
}

/** Adds up the columns, but for those of which the greatest counts. */
function sumRows(
  rings: readonly RingCopy[],
  now: number,
  width: number,
  greatest: readonly number[] = [],
): Float64Array[] {
  const sums = Array.from({ length: STEPS }, () => new Float64Array(width));
  for (const ring of rings) {
    for (const [step, row] of rowsOf(ring, now).entries()) {
      const sum = sums[step]!;
      row?.forEach((value, index) => {
        sum[index] = greatest.includes(index) ? Math.max(sum[index]!, value) : sum[index]! + value;
      });
    }
  }
  return sums;
}
