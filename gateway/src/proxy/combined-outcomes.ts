import { errorBody, RequestError } from '../base/errors.js';
import type { KnownNode } from '../nodes/known-node.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import { NodeFault, tooLarge } from '../upstream/node-fault.js';
import type { NodeAnswer } from '../upstream/node-request.js';

/** Longer bodies of failures are not kept while another node is asked, because the memory for them is not counted. */
const MAX_FAILURE_BYTES = 65_536;
/** Status with which a node limits the gateway. */
export const LIMITED = 429;

/** The rule by which a node was asked: docs/gateway/routing.md#chain-routes. */
type AnsweredBy = 'archival' | 'full' | 'full after 404' | 'full after failure';

export interface RoutedAnswer {
  node: KnownNode;
  answer: NodeAnswer;
  by: AnsweredBy;
}

/**
 * Combines the responses of several nodes to one read. After an empty 404, the other role is asked. A full
 * node's 404 is final only if an archival node also returned 404, or if no archival node is admitted.
 */
export class CombinedOutcomes {
  readonly #nodes: NodeDirectory;
  readonly #missingFor = new Set<KnownNode['role']>();
  #failed: RoutedAnswer | undefined;
  #fault: NodeFault | undefined;

  constructor(nodes: NodeDirectory) {
    this.#nodes = nodes;
  }

  /** Whether this node may have data that the nodes asked before did not have. */
  mayHelp({ role }: Pick<KnownNode, 'role'>): boolean {
    return !this.#missingFor.has(role);
  }

  /** Returns the response if it is final. */
  consider(node: KnownNode, answer: NodeAnswer | NodeFault): RoutedAnswer | undefined {
    if (answer instanceof NodeFault) {
      this.#fault ??= answer;
      return undefined;
    }
    if (isFailure(answer)) {
      if (answer.body.length > MAX_FAILURE_BYTES) return this.consider(node, tooLarge());
      this.#failed = { node, answer, by: this.#by(node) };
      return undefined;
    }
    if (answer.status === 404 && answer.body.length === 0) {
      this.#missingFor.add(node.role);
      if (node.role === 'full' ? this.#archivalMayHaveIt() : this.mayHelp({ role: 'full' })) return undefined;
    }
    return { node, answer, by: this.#by(node) };
  }

  /**
   * Called if no response was final. Returns the last failure that a node sent. If no node sent one, throws an
   * error for the first fault.
   */
  settle(): RoutedAnswer {
    if (this.#failed !== undefined) return withoutNodeLimit(this.#failed);
    if (this.#fault !== undefined) throw faultError(this.#fault);
    if (this.#missingFor.has('full')) throw noNodeAvailable('archival node');
    throw noNodeAvailable(this.#missingFor.has('archival') ? 'full node' : 'node');
  }

  #by({ role }: KnownNode): AnsweredBy {
    if (role === 'archival' || !this.#hasArchival()) return role;
    return this.#missingFor.has('archival') ? 'full after 404' : 'full after failure';
  }

  #archivalMayHaveIt(): boolean {
    return !this.#missingFor.has('archival') && this.#hasArchival();
  }

  #hasArchival(): boolean {
    return this.#nodes.nodes().some(({ role }) => role === 'archival');
  }
}

/** Whether another node may answer the read: this one failed, or limits or refuses the gateway. */
function isFailure({ status }: NodeAnswer): boolean {
  return status >= 500 || status === LIMITED || status === 403;
}

/** Turns the limit of a node into a 503, because it limits the gateway and not the client. */
function withoutNodeLimit(failed: RoutedAnswer): RoutedAnswer {
  const { status, headers } = failed.answer;
  if (status !== LIMITED) return failed;
  const body = Buffer.from(JSON.stringify(errorBody(503, 'The nodes limit the requests of this gateway')));
  const retryAfter = headers['retry-after'];
  const passed = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) };
  return { ...failed, answer: { status: 503, headers: passed, body } };
}

export function noNodeAvailable(missing: 'node' | 'full node' | 'archival node'): RequestError {
  return new RequestError(503, `No ${missing} is available`);
}

/**
 * Converts a fault to a RequestError: 503 if the nodes or the gateway are overloaded, 504 for a timeout, otherwise 502.
 * Its message includes the warning if the request may have reached the node.
 */
export function faultError(fault: NodeFault, warning?: string): RequestError {
  const [status, text] = describeFault(fault);
  return new RequestError(status, warning !== undefined && fault.sent ? `${text}; ${warning}` : text);
}

function describeFault({ kind, sent, message }: NodeFault): [status: number, text: string] {
  if (kind === 'busy') return [503, sent ? 'The gateway is overloaded' : 'The nodes are overloaded'];
  return [kind === 'timeout' || kind === 'unreachable-in-time' ? 504 : 502, `The node ${message}`];
}
