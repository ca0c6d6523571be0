import type { TimeoutConfig } from '../config/config.js';
import { RequestError } from '../errors.js';
import type { Traffic } from '../traffic.js';
import { exchange, type NodeAnswer, type NodeRequest } from '../upstream/exchange.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { NodeFault } from '../upstream/node-fault.js';
import { discard, isEmpty } from './answer-body.js';

const MAX_TRIES = 3;
/** So that a full node is asked even when several archival ones fail. */
const MAX_ARCHIVAL_TRIES = 2;
const MAYBE_TAKEN = 'it may have taken the transaction, so ask for its status before sending it again';

export interface RouterParts {
  config: { timeouts: TimeoutConfig; maxAnswerBytes: number };
  nodes: NodeDirectory;
  connections: NodeConnections;
  traffic: Traffic;
}

export interface RoutedAnswer {
  node: KnownNode;
  answer: NodeAnswer;
}

/** Decides which nodes a request goes to (interface.md "Routing of chain routes"); throws RequestError 502, 503 or 504 when none answers. */
export class ChainRouter {
  readonly #parts: RouterParts;
  readonly #tryMs: number;

  constructor(parts: RouterParts) {
    this.#parts = parts;
    const { connectMs, answerMs, pieceMs } = parts.config.timeouts;
    this.#tryMs = connectMs + answerMs + pieceMs;
  }

  /** Archival nodes first, full ones after an empty 404 or a failure; all tries together take no longer than two. */
  async read(request: NodeRequest): Promise<RoutedAnswer> {
    const deadlineMs = performance.now() + 2 * this.#tryMs;
    let last: RoutedAnswer | undefined;
    let fault: NodeFault | undefined;
    let unknownToArchival = false;
    for (const node of this.#readers()) {
      if (unknownToArchival && node.role === 'archival') continue;
      const leftMs = Math.min(this.#tryMs, deadlineMs - performance.now());
      if (leftMs <= 0) break;
      const answer = await this.#tryToRead(node, request, leftMs);
      if (answer instanceof NodeFault) {
        fault = answer;
        continue;
      }
      unknownToArchival = node.role === 'archival' && answer.status === 404 && isEmpty(answer);
      if (answer.status < 500 && !unknownToArchival) return { node, answer };
      if (last !== undefined) discard(last.answer);
      last = unknownToArchival ? undefined : { node, answer };
    }
    if (last !== undefined) return last;
    throw fault === undefined ? nobodyAnswers() : errorOf(fault);
  }

  /** One node, whatever it answers. */
  async readFrom(node: KnownNode, request: NodeRequest): Promise<RoutedAnswer> {
    const answer = await this.#tryToRead(node, request, this.#tryMs);
    if (answer instanceof NodeFault) throw errorOf(answer);
    return { node, answer };
  }

  /** A full node; the next one only if no byte can have reached the one before. */
  async submit(request: NodeRequest): Promise<RoutedAnswer> {
    let fault: NodeFault | undefined;
    for (const node of this.#parts.nodes.routed('full').slice(0, MAX_TRIES)) {
      const answer = await this.#tryToSubmit(node, request);
      if (!(answer instanceof NodeFault)) return { node, answer };
      fault = answer;
      if (fault.sent) break;
    }
    throw fault === undefined ? nobodyAnswers() : errorOf(fault, MAYBE_TAKEN);
  }

  async submitTo(node: KnownNode, request: NodeRequest): Promise<RoutedAnswer> {
    const answer = await this.#tryToSubmit(node, request);
    if (answer instanceof NodeFault) throw errorOf(answer, MAYBE_TAKEN);
    return { node, answer };
  }

  #readers(): readonly KnownNode[] {
    const { nodes } = this.#parts;
    const archival = nodes.routed('archival').slice(0, MAX_ARCHIVAL_TRIES);
    return [...archival, ...nodes.routed('full').slice(0, MAX_TRIES - archival.length)];
  }

  #tryToRead(node: KnownNode, request: NodeRequest, totalMs: number): Promise<NodeAnswer | NodeFault> {
    const { connections, config, traffic } = this.#parts;
    traffic.countRequest(node);
    const limits = { totalMs, maxBytes: config.maxAnswerBytes };
    return exchange(connections.shared(node), request, limits)
      .then(requireFinal)
      .catch((error: unknown) => this.#failed(node, error));
  }

  /** On a connection of its own: a kept one may be stale, and then nobody knows whether the node took the transaction. */
  async #tryToSubmit(node: KnownNode, request: NodeRequest): Promise<NodeAnswer | NodeFault> {
    const { connections, config, traffic } = this.#parts;
    traffic.countRequest(node);
    const client = connections.fresh(node);
    try {
      const limits = { totalMs: this.#tryMs, maxBytes: config.maxAnswerBytes };
      const answer = requireFinal(await exchange(client, { ...request, reset: true }, limits));
      client.close(() => {});
      return answer;
    } catch (error) {
      client.destroy(() => {});
      return this.#failed(node, error);
    }
  }

  #failed(node: KnownNode, error: unknown): NodeFault {
    if (!(error instanceof NodeFault)) throw error;
    const reached = error.kind === 'timeout' || error.kind === 'broken';
    this.#parts.traffic.countFailure(node);
    this.#parts.nodes.reportFailure(node, error.message, reached);
    return error;
  }
}

/** A redirection or a status of no meaning is not an answer of the chain's interface. */
function requireFinal(answer: NodeAnswer): NodeAnswer {
  const { status } = answer;
  if ((status < 300 && status !== 206) || status === 304 || (status >= 400 && status < 600)) return answer;
  discard(answer);
  throw new NodeFault('broken', true, 'gave a malformed answer');
}

function nobodyAnswers(): RequestError {
  return new RequestError(503, 'No node answers at the moment');
}

function errorOf(fault: NodeFault, warning?: string): RequestError {
  const late = fault.kind === 'timeout' || fault.kind === 'unreachable-in-time';
  const text = `The node ${fault.message}`;
  return new RequestError(
    late ? 504 : 502,
    warning !== undefined && fault.sent ? `${text}; ${warning}` : text,
  );
}
