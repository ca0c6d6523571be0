import type { KnownNode, NodeDirectory } from '../nodes/node-directory.js';
import { Cancellation } from '../upstream/cancellation.js';
import { NodeFault } from '../upstream/node-fault.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { discard } from '../upstream/response-body.js';
import { CombinedOutcomes, type RoutedAnswer } from './combined-outcomes.js';

export type Outcome = NodeAnswer | NodeFault;

/** A request to one node, running or ended. */
class Attempt {
  readonly node: KnownNode;
  readonly cancellation = new Cancellation();
  readonly outcome: Promise<Outcome>;

  constructor(node: KnownNode, ask: (cancellation: Cancellation) => Promise<Outcome>) {
    this.node = node;
    this.outcome = ask(this.cancellation);
  }

  /** Abandons the attempt, even if it has ended. */
  abandon(): void {
    this.cancellation.cancel();
    void this.outcome.then(Attempt.discard);
  }

  static discard(outcome: Outcome): void {
    if (!(outcome instanceof NodeFault)) discard(outcome);
  }
}

/** The first attempt to end; undefined if `milliseconds` pass first. */
async function firstToEnd(
  attempts: readonly Attempt[],
  milliseconds: number | undefined,
): Promise<Attempt | undefined> {
  const ends = attempts.map(attempt => attempt.outcome.then(() => attempt));
  if (milliseconds === undefined) return Promise.race(ends);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    void Promise.race(ends)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject);
  });
}

/** Most hedges in a burst. */
const MOST = 64;
/** A tenth of the reads may be hedged, so that nodes that are slow under load do not get twice as much. */
const EARNED_BY_READ = 0.1;

/** Limits the hedges of slow reads. */
export class HedgeBudget {
  #left = MOST;

  earn(): void {
    this.#left = Math.min(MOST, this.#left + EARNED_BY_READ);
  }

  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** Longest time until the first check of the awaited nodes' state. */
const FIRST_LOOK_MS = 500;
/** Interval of later checks. */
const LOOK_MS = 100;

interface HedgedReadParts {
  nodes: NodeDirectory;
  /** Nodes in the order of asking, grouped by role. */
  readers: readonly KnownNode[];
  /** Time limit for all attempts together. */
  totalMs: number;
  tryMs: number;
  /** Whether the request asks the node to wait; such reads are not hedged. */
  mayWait: boolean;
  cancellation: Cancellation | undefined;
  ask(node: KnownNode, milliseconds: number, cancellation: Cancellation): Promise<Outcome>;
  /** How long a node may take before the next is asked too; undefined if its usual latency is unknown. */
  patienceWith(node: KnownNode): number | undefined;
  /** Whether the limited budget allows asking the next node now. */
  mayHedge(next: KnownNode): boolean;
  onHedge(): void;
}

/**
 * One running read: nodes are asked one after another, and a second one of the same role while the first is
 * slow or fails its check. The other role follows after an empty 404, or if all of one role failed.
 */
export class HedgedRead {
  readonly #parts: HedgedReadParts;
  readonly #outcomes: CombinedOutcomes;
  readonly #waiting: KnownNode[];
  readonly #startMs = performance.now();
  /** Running attempts in the order of their start, all of one role. */
  #running: Attempt[] = [];
  #hasLooked = false;

  constructor(parts: HedgedReadParts) {
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
      const ended = await firstToEnd(this.#running, this.#lookInMs());
      if (ended === undefined) {
        this.#look();
      } else {
        const answer = this.#consider(ended, await ended.outcome);
        if (answer !== undefined) return answer;
      }
    }
  }

  /** Returns the response if it is final. */
  #consider(ended: Attempt, outcome: Outcome): RoutedAnswer | undefined {
    const [first] = this.#running;
    this.#running = this.#running.filter(attempt => attempt !== ended);
    const answer = this.#outcomes.consider(ended.node, outcome);
    // If one node of a role lacks the data, so do all others of that role.
    if (answer !== undefined || !this.#outcomes.mayHelp(ended.node)) this.#giveUpRunning();
    if (answer !== undefined && ended !== first) this.#parts.nodes.reportPoor(first!.node);
    return answer;
  }

  /** Returns undefined if there is nothing to check. */
  #lookInMs(): number | undefined {
    if (this.#nextReader() === undefined) return undefined;
    if (this.#hasLooked) return LOOK_MS;
    const patience = this.#parts.mayWait ? undefined : this.#parts.patienceWith(this.#running[0]!.node);
    return Math.min(patience ?? FIRST_LOOK_MS, FIRST_LOOK_MS);
  }

  #look(): void {
    this.#hasLooked = true;
    const [{ node }] = this.#running as [Attempt];
    const next = this.#nextReader()!;
    const areDown = this.#running.every(attempt => !attempt.node.health.answers);
    if (next.role !== node.role) {
      if (areDown) this.#failRunning();
    } else if (areDown || (this.#running.length === 1 && this.#mayHedge(node, next))) {
      if (this.#askNext()) this.#parts.onHedge();
    }
  }

  /** No budget is needed if the node's breaker opened after it was asked. */
  #mayHedge({ breaker }: KnownNode, next: KnownNode): boolean {
    return !this.#parts.mayWait && (breaker.isOpen || this.#parts.mayHedge(next));
  }

  #failRunning(): void {
    for (const { node } of this.#running) {
      this.#outcomes.consider(node, new NodeFault('timeout', true, 'did not respond in time'));
    }
    this.#giveUpRunning();
  }

  #giveUpRunning(): void {
    for (const attempt of this.#running) attempt.abandon();
    this.#running = [];
  }

  #nextReader(): KnownNode | undefined {
    while (this.#waiting.length > 0 && !this.#outcomes.mayHelp(this.#waiting[0]!)) this.#waiting.shift();
    return this.#waiting[0];
  }

  /** Returns whether a node and time were left. */
  #askNext(): boolean {
    const { totalMs, tryMs, cancellation, ask } = this.#parts;
    const node = this.#nextReader();
    const leftMs = Math.min(tryMs, this.#startMs + totalMs - performance.now());
    if (node === undefined || leftMs <= 0 || cancellation?.isCancelled) return false;
    this.#waiting.shift();
    this.#running.push(new Attempt(node, ends => ask(node, leftMs, ends)));
    return true;
  }
}
