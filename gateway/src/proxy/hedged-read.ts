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

/** Returns the attempt that ends first, or undefined if `milliseconds` pass before that. */
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

/**
 * Maximum number of hedges in a burst. (To hedge a read is to ask a second node because the first is slow.)
 */
const MOST = 64;
/**
 * One tenth of the reads may be hedged, so that nodes that are slow under load do not get twice as many
 * requests.
 */
const EARNED_BY_READ = 0.1;

/** Limits how many slow reads are hedged. */
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

/** Maximum time until the state of the nodes whose answers are awaited is checked for the first time. */
const FIRST_LOOK_MS = 500;
/** Interval of later checks. */
const LOOK_MS = 100;

interface HedgedReadParts {
  nodes: NodeDirectory;
  /** Nodes in the order in which they are asked, grouped by role. */
  readers: readonly KnownNode[];
  /** Time limit for all attempts together. */
  totalMs: number;
  tryMs: number;
  /** Whether the request asks the node to wait for a block; such reads are not hedged. */
  mayWait: boolean;
  cancellation: Cancellation | undefined;
  ask(node: KnownNode, milliseconds: number, cancellation: Cancellation): Promise<Outcome>;
  /**
   * Returns how long a node may take before the next node is asked too; undefined if the node's usual latency
   * is unknown.
   */
  patienceWith(node: KnownNode): number | undefined;
  /** Whether the next node may be asked while another one is slow. */
  mayHedge(next: KnownNode): boolean;
  /** Whether the budget allows a hedge now. */
  spendHedge(): boolean;
  onHedge(): void;
}

/**
 * One running read. Nodes are asked one after another; while a node is slow or fails its check, a second node
 * of the same role is asked too. Nodes of the other role are asked after an empty 404, or if all nodes of one
 * role failed.
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

  /**
   * Returns the time until the next check of the running attempts; undefined if no further node could be
   * asked.
   */
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

  /** A hedge needs no budget if the node's breaker opened after the node was asked. */
  #mayHedge({ breaker }: KnownNode, next: KnownNode): boolean {
    const { mayWait, mayHedge, spendHedge } = this.#parts;
    return !mayWait && mayHedge(next) && (breaker.isOpen || spendHedge());
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

  /** Returns whether there was a node left to ask, and time to ask it. */
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
