import type { NodeAnswer } from '../upstream/exchange.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { NodeFault } from '../upstream/node-fault.js';
import { discard, isEmpty } from './answer-body.js';
import { faultError, nobodyAnswers } from './routing-errors.js';

export interface RoutedAnswer {
  node: KnownNode;
  answer: NodeAnswer;
}

/**
 * What the nodes that were asked make of one read. An empty 404 says that a node does not know, so the other role may; a full
 * node's ends the search only when the archival nodes said so too, or none is admitted.
 */
export class ReadAnswers {
  readonly #nodes: NodeDirectory;
  readonly #unknownTo = new Set<KnownNode['role']>();
  #failed: RoutedAnswer | undefined;
  #fault: NodeFault | undefined;

  constructor(nodes: NodeDirectory) {
    this.#nodes = nodes;
  }

  /** Whether this node may know more than those before it. */
  mayHelp({ role }: KnownNode): boolean {
    return !this.#unknownTo.has(role);
  }

  /** Gives it back if it is the answer. */
  hear(node: KnownNode, answer: NodeAnswer | NodeFault): RoutedAnswer | undefined {
    if (answer instanceof NodeFault) {
      this.#fault ??= answer;
      return undefined;
    }
    if (answer.status >= 500) {
      this.#forgetFailed();
      this.#failed = { node, answer };
      return undefined;
    }
    if (answer.status === 404 && isEmpty(answer)) {
      this.#unknownTo.add(node.role);
      if (node.role === 'archival' || this.#mayBeKnownToArchival()) return undefined;
    }
    this.#forgetFailed();
    return { node, answer };
  }

  /** The answer when none was one: a node's own failure, else an error that says what was wrong with the first. */
  settle(): RoutedAnswer {
    if (this.#failed !== undefined) return this.#failed;
    if (this.#fault !== undefined) throw faultError(this.#fault);
    throw nobodyAnswers(this.#unknownTo.has('full') ? 'archival node' : 'node');
  }

  #forgetFailed(): void {
    if (this.#failed !== undefined) discard(this.#failed.answer);
    this.#failed = undefined;
  }

  #mayBeKnownToArchival(): boolean {
    return !this.#unknownTo.has('archival') && this.#nodes.nodes().some(({ role }) => role === 'archival');
  }
}
