import type { Cancellation } from '../upstream/cancellation.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { NodeFault } from '../upstream/node-fault.js';
import { Attempt, firstToEnd, type Outcome } from './attempt.js';
import { ReadAnswers, type RoutedAnswer } from './read-answers.js';

interface ReadingParts {
  nodes: NodeDirectory;
  /** In the order to ask them. */
  readers: readonly KnownNode[];
  /** For all tries together. */
  totalMs: number;
  tryMs: number;
  cancellation: Cancellation | undefined;
  ask(node: KnownNode, milliseconds: number, cancellation: Cancellation): Promise<Outcome>;
  /** How long the node may take before the next is asked too; undefined for as long as it needs. */
  patienceWith(node: KnownNode): number | undefined;
  /** Whether the next node may be asked now, of which there is a limited number. */
  mayHedge(next: KnownNode): boolean;
}

/** One read that is under way: nodes are asked one after another, and one more while the first is slow. */
export class Reading {
  readonly #parts: ReadingParts;
  readonly #answers: ReadAnswers;
  readonly #waiting: KnownNode[];
  readonly #deadlineMs: number;
  /** The one that was asked first comes first. */
  #running: Attempt[] = [];
  #isHedged = false;
  /** What the second one said that the first one, of the other role, may know better. */
  #heldBack: { node: KnownNode; outcome: Outcome } | undefined;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
    this.#answers = new ReadAnswers(parts.nodes);
    this.#waiting = [...parts.readers];
    this.#deadlineMs = performance.now() + parts.totalMs;
    parts.cancellation?.ends(() => {
      for (const attempt of this.#running) attempt.cancellation.cancel();
    });
  }

  async answer(): Promise<RoutedAnswer> {
    for (;;) {
      if (this.#running.length === 0) {
        const held = this.#considerHeldBack();
        if (held !== undefined) return held;
        if (!this.#askNext()) return this.#answers.settle();
      }
      const answer = await this.#next();
      if (answer !== undefined) return answer;
    }
  }

  /** Waits for the next outcome; returns the response if it is final. */
  async #next(): Promise<RoutedAnswer | undefined> {
    const [first] = this.#running;
    const patience = this.#patience();
    const isAlone = patience === undefined && this.#running.length === 1;
    const ended = isAlone ? first! : await firstToEnd(this.#running, patience);
    if (ended === undefined) {
      this.#isHedged = true;
      const next = this.#nextReader();
      if (next !== undefined && this.#parts.mayHedge(next)) this.#askNext();
      return undefined;
    }
    const outcome = await ended.outcome;
    this.#running = this.#running.filter(attempt => attempt !== ended);
    if (ended !== first && !mayOvertake(ended.node, outcome, first!.node)) {
      this.#heldBack = { node: ended.node, outcome };
      return undefined;
    }
    const answer = this.#answers.consider(ended.node, outcome);
    if (answer === undefined) return undefined;
    if (ended !== first) this.#parts.nodes.reportPoor(first!.node);
    this.#giveUpRest();
    return answer;
  }

  #patience(): number | undefined {
    if (this.#isHedged || this.#nextReader() === undefined) return undefined;
    return this.#parts.patienceWith(this.#running[0]!.node);
  }

  #considerHeldBack(): RoutedAnswer | undefined {
    const held = this.#heldBack;
    this.#heldBack = undefined;
    return held && this.#answers.consider(held.node, held.outcome);
  }

  #giveUpRest(): void {
    for (const attempt of this.#running) attempt.abandon();
    if (this.#heldBack !== undefined) Attempt.discard(this.#heldBack.outcome);
  }

  #nextReader(): KnownNode | undefined {
    while (this.#waiting.length > 0 && !this.#answers.mayHelp(this.#waiting[0]!)) this.#waiting.shift();
    return this.#waiting[0];
  }

  /** Whether there was a node to ask, and time. */
  #askNext(): boolean {
    const node = this.#nextReader();
    const leftMs = Math.min(this.#parts.tryMs, this.#deadlineMs - performance.now());
    if (node === undefined || leftMs <= 0 || this.#parts.cancellation?.isCancelled) return false;
    this.#waiting.shift();
    this.#running.push(new Attempt(node, cancellation => this.#parts.ask(node, leftMs, cancellation)));
    return true;
  }
}

/**
 * Whether a response counts before that of a node which was asked first: of a node of the other role, which
 * may not have it all, only what it found.
 */
function mayOvertake({ role }: KnownNode, outcome: Outcome, first: KnownNode): boolean {
  if (role === first.role || outcome instanceof NodeFault) return true;
  return outcome.status < 400 || outcome.status >= 500;
}
