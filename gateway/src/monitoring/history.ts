import { type NodeAddress, nodeKey } from '../base/node-address.js';
import type { CacheResult } from '../cache/immutable-cache.js';
import type { NodeHealth } from '../nodes/node-directory.js';
import type { AdminState } from '../pages/admin-state.js';

/** Length and number of the steps of the last hour. */
const STEP_SECONDS = 30;
const STEPS = 120;

const LEAST_MS = 0.25;
const CLASSES_PER_DOUBLING = 4;
/** The classes cover 0.25 ms to 65 seconds. */
export const DURATION_CLASSES = 18 * CLASSES_PER_DOUBLING;

/** The class of a duration: four to a doubling, so that a percentile is at most 19 % off. */
export function classOf(milliseconds: number): number {
  const exact = Math.floor(Math.log2(Math.max(milliseconds, LEAST_MS) / LEAST_MS) * CLASSES_PER_DOUBLING);
  return Math.min(exact, DURATION_CLASSES - 1);
}

/** The time in milliseconds within which a share of all answers arrived; null without answers. */
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

/** Later nodes are omitted: a public registry may name any number. */
const MAX_NODES = 24;
const DIGITS = [1, 2, 3, 4, 5];

/** The checks of one node in one step; its height is null if no check succeeded. */
interface NodeStep {
  height: number | null;
  /** Sum over the successful checks. */
  latencyMs: number;
  answered: number;
}

/** The counts of one step of the clock. */
class Step {
  readonly answers = [0, 0, 0, 0, 0, 0];
  readonly durations = new Uint32Array(DURATION_CLASSES);
  readonly reads = { hit: 0, shared: 0, miss: 0 };
  readonly nodes = new Map<string, NodeStep>();

  constructor(readonly number: number) {}
}

/** Counts the data of the last hour's charts in bounded memory. */
export class History {
  readonly #seconds: () => number;
  /** Steps with a count, the oldest first. */
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

/** A step without a check repeats the one before it. */
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
