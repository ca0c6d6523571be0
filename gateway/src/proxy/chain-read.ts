import type { KnownNode } from '../nodes/known-node.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { NodeFault } from '../upstream/node-fault.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { CombinedOutcomes, type RoutedAnswer } from './combined-outcomes.js';

export type Outcome = NodeAnswer | NodeFault;

/** Completes `it …` in the log. */
const TOO_SLOW = 'answers too slowly';

interface ReadLimits {
  /** Time limit for all attempts together. */
  totalMs: number;
  /** Time limit of one attempt. */
  tryMs: number;
  /** Time without an answer after which the next node is asked too; undefined for reads that wait for a block. */
  nextMs: number | undefined;
}

interface ChainReadParts {
  nodes: NodeDirectory;
  /** Nodes in the order in which they are asked. */
  readers: readonly KnownNode[];
  limits: ReadLimits;
  cancellation: Cancellation | undefined;
  ask(node: KnownNode, milliseconds: number, cancellation: Cancellation): Promise<Outcome>;
}

interface RunningAttempt {
  node: KnownNode;
  cancellation: Cancellation;
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
  /** Attempts in the order of their start. */
  #running: RunningAttempt[] = [];
  #askedAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (answer: RoutedAnswer) => void;
  #reject!: (error: Error) => void;

  constructor(parts: ChainReadParts) {
    this.#parts = parts;
    this.#outcomes = new CombinedOutcomes(parts.nodes);
    this.#waiting = [...parts.readers];
    parts.cancellation?.ends(() => {
      for (const attempt of this.#running) attempt.cancellation.cancel();
    });
  }

  answer(): Promise<RoutedAnswer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#askNext();
    });
  }

  #ended(ended: RunningAttempt, outcome: Outcome): void {
    // The outcome of an attempt that was cancelled does not count.
    if (!this.#running.includes(ended)) return;
    clearTimeout(this.#timer);
    const earlier = this.#running.slice(0, this.#running.indexOf(ended));
    this.#running = this.#running.filter(attempt => attempt !== ended);
    const answer = this.#outcomes.consider(ended.node, outcome);
    if (answer !== undefined) for (const { node } of earlier) this.#parts.nodes.reportPoor(node, TOO_SLOW);
    // If one node of a role lacks the data, so do all others of that role.
    const isUseless = ({ node }: RunningAttempt) => answer !== undefined || !this.#outcomes.mayHelp(node);
    for (const attempt of this.#running.filter(isUseless)) attempt.cancellation.cancel();
    this.#running = this.#running.filter(attempt => !isUseless(attempt));
    if (answer !== undefined) this.#resolve(answer);
    else if (this.#running.length === 0) this.#askNext();
    else this.#askTooLater();
  }

  /** Asks the next node if there is one and time to ask it. Ends the read if nothing runs then. */
  #askNext(): void {
    const { limits, cancellation, ask } = this.#parts;
    const node = this.#nextReader();
    const leftMs = Math.min(limits.tryMs, this.#leftMs());
    if (node === undefined || leftMs <= 0 || cancellation?.isCancelled) {
      if (this.#running.length === 0) this.#resolve(this.#outcomes.settle());
      return;
    }
    this.#waiting.shift();
    this.#askedAtMs = performance.now();
    const attempt = { node, cancellation: new Cancellation() };
    this.#running.push(attempt);
    ask(node, leftMs, attempt.cancellation)
      .then(outcome => this.#ended(attempt, outcome))
      .catch(this.#reject);
    this.#askTooLater();
  }

  /** Asks the next node too if it may be asked and there is no answer until then. */
  #askTooLater(): void {
    const next = this.#nextReader();
    const { nextMs } = this.#parts.limits;
    if (next === undefined || nextMs === undefined || !this.#mayAskToo(next) || this.#leftMs() <= 0) return;
    this.#timer = setTimeout(() => this.#askNext(), this.#askedAtMs + nextMs - performance.now());
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
    return this.#startMs + this.#parts.limits.totalMs - performance.now();
  }
}
