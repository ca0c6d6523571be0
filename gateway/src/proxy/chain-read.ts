import type { KnownNode, NodeDirectory } from '../nodes/node-directory.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { NodeFault } from '../upstream/node-fault.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { CombinedOutcomes, type RoutedAnswer } from './combined-outcomes.js';

export type Outcome = NodeAnswer | NodeFault;

/** Completes `it …` in the log. */
const TOO_SLOW = 'answers too slowly';

/** A read at one node, running or ended. */
class RunningRead {
  readonly node: KnownNode;
  readonly cancellation = new Cancellation();
  readonly outcome: Promise<Outcome>;

  constructor(node: KnownNode, ask: (cancellation: Cancellation) => Promise<Outcome>) {
    this.node = node;
    this.outcome = ask(this.cancellation);
  }
}

/** Returns the attempt that ends first, or undefined if `milliseconds` pass before that. */
async function firstToEnd(
  attempts: readonly RunningRead[],
  milliseconds: number | undefined,
): Promise<RunningRead | undefined> {
  const ends = attempts.map(attempt => attempt.outcome.then(() => attempt));
  if (milliseconds === undefined) return Promise.race(ends);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    void Promise.race(ends)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject);
  });
}

interface ChainReadParts {
  nodes: NodeDirectory;
  /** Nodes in the order in which they are asked. */
  readers: readonly KnownNode[];
  /** Time limit for all attempts together. */
  totalMs: number;
  /** Time limit of one attempt. */
  tryMs: number;
  /** Time without an answer after which the next node is asked too; undefined for reads that wait for a block. */
  nextMs: number | undefined;
  cancellation: Cancellation | undefined;
  ask(node: KnownNode, milliseconds: number, cancellation: Cancellation): Promise<Outcome>;
}

/**
 * One running read. The next node is asked when a node fails or lacks the record, and too when the nodes
 * asked so far have not answered for `nextMs`. The first answer wins.
 */
export class ChainRead {
  readonly #parts: ChainReadParts;
  readonly #outcomes: CombinedOutcomes;
  readonly #waiting: KnownNode[];
  readonly #startMs = performance.now();
  /** Running attempts in the order of their start. */
  #running: RunningRead[] = [];
  #askedAtMs = 0;

  constructor(parts: ChainReadParts) {
    this.#parts = parts;
    this.#outcomes = new CombinedOutcomes(parts.nodes);
    this.#waiting = [...parts.readers];
    parts.cancellation?.ends(() => {
      for (const attempt of this.#running) attempt.cancellation.cancel();
    });
  }

  async answer(): Promise<RoutedAnswer> {
    for (;;) {
      if (this.#running.length === 0 && !this.#askNext()) return this.#outcomes.settle();
      const ended = await firstToEnd(this.#running, this.#untilNextMs());
      if (ended === undefined) {
        this.#askNext();
      } else {
        const answer = this.#consider(ended, await ended.outcome);
        if (answer !== undefined) return answer;
      }
    }
  }

  /** Returns the response if it is final. */
  #consider(ended: RunningRead, outcome: Outcome): RoutedAnswer | undefined {
    const earlier = this.#running.slice(0, this.#running.indexOf(ended));
    this.#running = this.#running.filter(attempt => attempt !== ended);
    const answer = this.#outcomes.consider(ended.node, outcome);
    if (answer !== undefined) for (const { node } of earlier) this.#parts.nodes.reportPoor(node, TOO_SLOW);
    // If one node of a role lacks the data, so do all others of that role.
    const isUseless = ({ node }: RunningRead) => answer !== undefined || !this.#outcomes.mayHelp(node);
    for (const attempt of this.#running.filter(isUseless)) attempt.cancellation.cancel();
    this.#running = this.#running.filter(attempt => !isUseless(attempt));
    return answer;
  }

  /** Returns the time until the next node is asked too; undefined if no further node may be asked. */
  #untilNextMs(): number | undefined {
    const next = this.#nextReader();
    const { nextMs } = this.#parts;
    if (next === undefined || nextMs === undefined || !this.#mayAskToo(next) || this.#leftMs() <= 0) return;
    return Math.max(0, this.#askedAtMs + nextMs - performance.now());
  }

  /** A registered node may replace a node that failed, but never a node of the operator that is only slow. */
  #mayAskToo(next: KnownNode): boolean {
    return next.source !== 'registry' || this.#running.every(({ node }) => node.source === 'registry');
  }

  #nextReader(): KnownNode | undefined {
    while (this.#waiting.length > 0 && !this.#outcomes.mayHelp(this.#waiting[0]!)) this.#waiting.shift();
    return this.#waiting[0];
  }

  #leftMs(): number {
    return this.#startMs + this.#parts.totalMs - performance.now();
  }

  /** Returns whether there was a node left to ask, and time to ask it. */
  #askNext(): boolean {
    const { tryMs, cancellation, ask } = this.#parts;
    const node = this.#nextReader();
    const leftMs = Math.min(tryMs, this.#leftMs());
    if (node === undefined || leftMs <= 0 || cancellation?.isCancelled) return false;
    this.#waiting.shift();
    this.#askedAtMs = performance.now();
    this.#running.push(new RunningRead(node, ends => ask(node, leftMs, ends)));
    return true;
  }
}
