import type { KnownNode } from '../nodes/node-directory.js';
import { Cancellation } from '../upstream/cancellation.js';
import { NodeFault } from '../upstream/node-fault.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { discard } from '../upstream/response-body.js';

export type Outcome = NodeAnswer | NodeFault;

/** A question to one node that is under way or has ended. */
export class Attempt {
  readonly node: KnownNode;
  readonly cancellation = new Cancellation();
  readonly outcome: Promise<Outcome>;

  constructor(node: KnownNode, ask: (cancellation: Cancellation) => Promise<Outcome>) {
    this.node = node;
    this.outcome = ask(this.cancellation);
  }

  /** Gives it up, also when it has ended. */
  abandon(): void {
    this.cancellation.cancel();
    void this.outcome.then(Attempt.discard);
  }

  static discard(outcome: Outcome): void {
    if (!(outcome instanceof NodeFault)) discard(outcome);
  }
}

/** The first of them to end; undefined if `milliseconds` pass before one does. */
export async function firstToEnd(
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
