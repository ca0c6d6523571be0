import { type NodeAddress, nodeKey } from '../base/node-address.js';
import type { CacheResult } from '../cache/immutable-cache.js';
import type { NodeHealth } from '../nodes/node-directory.js';
import type { AdminState } from '../pages/admin-state.js';

/** The last hour is divided into STEPS steps of STEP_SECONDS. */
const STEP_SECONDS = 30;
const STEPS = 120;

const LEAST_MS = 0.25;
const CLASSES_PER_DOUBLING = 4;
/** Durations from 0.25 ms to 65 seconds are counted in this many classes. */
export const DURATION_CLASSES = 18 * CLASSES_PER_DOUBLING;

/**
 * Returns the class of a duration. There are four classes per doubling, so a percentile is off by at most 19
 * %.
 */
export function classOf(milliseconds: number): number {
  const exact = Math.floor(Math.log2(Math.max(milliseconds, LEAST_MS) / LEAST_MS) * CLASSES_PER_DOUBLING);
  return Math.min(exact, DURATION_CLASSES - 1);
}

/**
 * Returns the time in milliseconds within which this share of the answers arrived; null if there are no
 * answers.
 */
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

/**
 * Maximum number of nodes with a history. Further nodes are omitted, because a public registry may list any
 * number.
 */
const MAX_NODES = 24;
const DIGITS = [1, 2, 3, 4, 5];

/** The checks of one node in one step; its height is null if no check succeeded. */
interface NodeStep {
  height: number | null;
  /** Sum over the successful checks. */
  latencyMs: number;
  answered: number;
}

/** The counts of one step of STEP_SECONDS. */
class Step {
  readonly answers = [0, 0, 0, 0, 0, 0];
  readonly durations = new Uint32Array(DURATION_CLASSES);
  readonly reads = { hit: 0, shared: 0, miss: 0 };
  readonly nodes = new Map<string, NodeStep>();

  constructor(readonly number: number) {}
}

/** Collects the data for the charts of the last hour, in bounded memory. */
export class History {
  readonly #seconds: () => number;
  /** Steps that have counts, the oldest first. */
  #steps: Step[] = [];
  #nodes: readonly NodeAddress[] = [];

  /** `seconds` is a monotonic clock. */
  constructor(seconds = () => performance.now() / 1000) {
    this.#seconds = seconds;
  }

  /** `milliseconds` is omitted for a request that waited on purpose. */
  countAnswer(status: number, milliseconds: number | undefined): void {
    const { answers, durations } = this.#step();
    const digit = Math.floor(status / 100);
    if (digit in answers) answers[digit]! += 1;
    if (milliseconds !== undefined) durations[classOf(milliseconds)]! += 1;
  }

  countCacheRead(result: CacheResult): void {
    this.#step().reads[result] += 1;
  }

  countCheck(address: NodeAddress, { answers, height, latencyMs = 0 }: NodeHealth): void {
    const key = nodeKey(address);
    if (!this.#nodes.some(node => nodeKey(node) === key)) return;
    const { nodes } = this.#step();
    const node = nodes.get(key) ?? { height: null, latencyMs: 0, answered: 0 };
    nodes.set(key, node);
    if (!answers) return;
    // This number is only drawn; the node's health has the exact height.
    node.height = Number(height ?? 0n);
    node.latencyMs += latencyMs;
    node.answered += 1;
  }

  /** Drops nodes that are no longer admitted. */
  keepOnly(nodes: readonly NodeAddress[]): void {
    this.#nodes = nodes.slice(0, MAX_NODES).map(({ ip, port }) => ({ ip, port }));
  }

  lastHour(): AdminState['history'] {
    const first = this.#number() - STEPS + 1;
    const counted = new Map(this.#steps.map(step => [step.number, step]));
    const steps = Array.from({ length: STEPS }, (_, at) => counted.get(first + at) ?? new Step(first + at));
    const reads = (result: CacheResult) => steps.map(step => step.reads[result]);
    return {
      step_seconds: STEP_SECONDS,
      answers: Object.fromEntries(DIGITS.map(digit => [digit, steps.map(step => step.answers[digit]!)])),
      p50_ms: steps.map(({ durations }) => rounded(percentileOf(durations, 0.5))),
      p99_ms: steps.map(({ durations }) => rounded(percentileOf(durations, 0.99))),
      cache_reads: { hit: reads('hit'), shared: reads('shared'), miss: reads('miss') },
      nodes: this.#nodes.map(node => ({ ...node, ...nodeHistory(steps, nodeKey(node)) })),
    };
  }

  #step(): Step {
    const last = this.#steps.at(-1);
    const number = this.#number();
    if (last?.number === number) return last;
    const step = new Step(number);
    this.#steps = [...this.#steps.slice(1 - STEPS), step];
    return step;
  }

  #number(): number {
    return Math.floor(this.#seconds() / STEP_SECONDS);
  }
}

/**
 * Returns a node's heights and latencies for each step. A step without a check repeats the values of the step
 * before it.
 */
function nodeHistory(steps: readonly Step[], key: string) {
  let last: NodeStep = { height: null, latencyMs: 0, answered: 0 };
  const known = steps.map(({ nodes }) => (last = nodes.get(key) ?? last));
  return {
    heights: known.map(({ height }) => height),
    latencies_ms: known.map(({ latencyMs, answered }) =>
      rounded(answered === 0 ? null : latencyMs / answered),
    ),
  };
}

/** Rounds to hundredths. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}
