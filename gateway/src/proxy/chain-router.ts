import type { TimeoutConfig } from '../config/config.js';
import type { Traffic } from '../monitoring/traffic.js';
import type { Cancellation } from '../upstream/cancellation.js';
import { type ExchangeLimits, exchange, type NodeAnswer, type NodeRequest } from '../upstream/exchange.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { NodeFault } from '../upstream/node-fault.js';
import { discard } from './answer-body.js';
import { ReadAnswers, type RoutedAnswer } from './read-answers.js';
import { faultError, nobodyAnswers } from './routing-errors.js';

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

/** Decides which nodes a request goes to (interface.md "Routing of chain routes"); throws RequestError 502, 503 or 504 when none answers. */
export class ChainRouter {
  readonly #parts: RouterParts;
  readonly #tryMs: number;

  constructor(parts: RouterParts) {
    this.#parts = parts;
    const { connectMs, answerMs, pieceMs } = parts.config.timeouts;
    this.#tryMs = connectMs + answerMs + pieceMs;
  }

  /** Archival nodes first, full ones after an empty 404 or a failure; all tries together take no longer than two. A cancellation ends them. */
  async read(request: NodeRequest, cancellation?: Cancellation): Promise<RoutedAnswer> {
    const deadlineMs = performance.now() + 2 * this.#tryMs;
    const answers = new ReadAnswers(this.#parts.nodes);
    for (const node of this.#readers()) {
      if (!answers.mayHelp(node)) continue;
      const leftMs = Math.min(this.#tryMs, deadlineMs - performance.now());
      if (leftMs <= 0 || cancellation?.isCancelled) break;
      const limits = { totalMs: leftMs, cancellation };
      const answer = answers.hear(node, await this.#tryToRead(node, request, limits));
      if (answer !== undefined) return answer;
    }
    return answers.settle();
  }

  /** One node, whatever it answers. */
  async readFrom(node: KnownNode, request: NodeRequest, cancellation?: Cancellation): Promise<RoutedAnswer> {
    const answer = await this.#tryToRead(node, request, { totalMs: this.#tryMs, cancellation });
    if (answer instanceof NodeFault) throw faultError(answer);
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
    throw fault === undefined ? nobodyAnswers('node') : faultError(fault, MAYBE_TAKEN);
  }

  async submitTo(node: KnownNode, request: NodeRequest): Promise<RoutedAnswer> {
    const answer = await this.#tryToSubmit(node, request);
    if (answer instanceof NodeFault) throw faultError(answer, MAYBE_TAKEN);
    return { node, answer };
  }

  #readers(): readonly KnownNode[] {
    const { nodes } = this.#parts;
    const archival = nodes.routed('archival').slice(0, MAX_ARCHIVAL_TRIES);
    return [...archival, ...nodes.routed('full').slice(0, MAX_TRIES - archival.length)];
  }

  #tryToRead(
    node: KnownNode,
    request: NodeRequest,
    { totalMs, cancellation }: Pick<ExchangeLimits, 'totalMs' | 'cancellation'>,
  ): Promise<NodeAnswer | NodeFault> {
    const { connections, config, traffic } = this.#parts;
    traffic.countRequest(node);
    const limits = { totalMs, maxBytes: config.maxAnswerBytes, cancellation };
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
    if (error.kind === 'cancelled') return error;
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
