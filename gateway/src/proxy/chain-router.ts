import type { TimeoutConfig } from '../config/config.js';
import type { Traffic } from '../monitoring/traffic.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { Lane, NodeConnections } from '../upstream/node-connections.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { NodeFault } from '../upstream/node-fault.js';
import { type AnswerLimits, askNode, type NodeAnswer, type NodeRequest } from '../upstream/node-request.js';
import { discard } from './answer-body.js';
import { ReadAnswers, type RoutedAnswer } from './read-answers.js';
import { faultError, noNodeAvailable } from './routing-errors.js';

const MAX_TRIES = 3;
/** Leaves a try for a full node when archival nodes fail. */
const MAX_ARCHIVAL_TRIES = 2;
const MAYBE_ACCEPTED = 'it may have accepted the transaction, so check its status before sending it again';

interface RouterParts {
  config: { timeouts: TimeoutConfig; maxAnswerBytes: number };
  nodes: NodeDirectory;
  connections: NodeConnections;
  traffic: Traffic;
}

interface ReadOptions {
  /** Ends the tries. */
  cancellation?: Cancellation;
  /** Default: that of clients' reads, or of those that wait for a block. */
  lane?: Lane;
}

/**
 * Chooses the nodes for a request (docs/gateway/routing.md#chain-routes); throws RequestError 502, 503 or
 * 504 if none answers.
 */
export class ChainRouter {
  readonly #parts: RouterParts;
  readonly #tryMs: number;

  constructor(parts: RouterParts) {
    this.#parts = parts;
    const { connectMs, answerMs, pieceMs } = parts.config.timeouts;
    this.#tryMs = connectMs + answerMs + pieceMs;
  }

  /**
   * Asks archival nodes first, full nodes after an empty 404 or a failure; all tries take at most twice the
   * time of one.
   */
  async read(request: NodeRequest, options: ReadOptions = {}): Promise<RoutedAnswer> {
    const deadlineMs = performance.now() + 2 * this.#tryMs;
    const answers = new ReadAnswers(this.#parts.nodes);
    for (const node of this.#readers()) {
      if (!answers.mayHelp(node)) continue;
      const leftMs = Math.min(this.#tryMs, deadlineMs - performance.now());
      if (leftMs <= 0 || options.cancellation?.isCancelled) break;
      const answer = answers.consider(node, await this.#tryToRead(node, request, leftMs, options));
      if (answer !== undefined) return answer;
    }
    return answers.settle();
  }

  /** Asks one node and returns any response. */
  async readFrom(node: KnownNode, request: NodeRequest, options: ReadOptions = {}): Promise<RoutedAnswer> {
    const answer = await this.#tryToRead(node, request, this.#tryMs, options);
    if (answer instanceof NodeFault) throw faultError(answer);
    return { node, answer };
  }

  /** Asks a full node; the next one only if no byte can have reached the previous one. */
  async submit(request: NodeRequest): Promise<RoutedAnswer> {
    let fault: NodeFault | undefined;
    for (const node of this.#parts.nodes.routed('full').slice(0, MAX_TRIES)) {
      const answer = await this.#tryToSubmit(node, request);
      if (!(answer instanceof NodeFault)) return { node, answer };
      fault = answer;
      if (fault.sent) break;
    }
    throw fault === undefined ? noNodeAvailable('node') : faultError(fault, MAYBE_ACCEPTED);
  }

  async submitTo(node: KnownNode, request: NodeRequest): Promise<RoutedAnswer> {
    const answer = await this.#tryToSubmit(node, request);
    if (answer instanceof NodeFault) throw faultError(answer, MAYBE_ACCEPTED);
    return { node, answer };
  }

  #readers(): readonly KnownNode[] {
    const { nodes } = this.#parts;
    const archival = nodes.routed('archival').slice(0, MAX_ARCHIVAL_TRIES);
    const readers = [...archival, ...nodes.routed('full').slice(0, MAX_TRIES - archival.length)];
    return readers.some(isLate)
      ? [...readers.filter(node => !isLate(node)), ...readers.filter(isLate)]
      : readers;
  }

  async #tryToRead(
    node: KnownNode,
    request: NodeRequest,
    totalMs: number,
    { cancellation, lane = laneOf(request) }: ReadOptions,
  ): Promise<NodeAnswer | NodeFault> {
    const { connections, config, traffic } = this.#parts;
    const { dispatcher, slots } = connections.shared(node, lane);
    if (!slots.take()) return overloaded();
    traffic.countRequest(node);
    const limits: AnswerLimits = {
      totalMs,
      maxBytes: config.maxAnswerBytes,
      cancellation,
      memory: connections.memory,
      onEnd: () => slots.release(),
    };
    return askNode(dispatcher, request, limits)
      .then(requireFinal)
      .catch((error: unknown) => this.#failed(node, error));
  }

  /** Uses a new connection: on a stale one it would be unknown whether the node accepted the transaction. */
  async #tryToSubmit(node: KnownNode, request: NodeRequest): Promise<NodeAnswer | NodeFault> {
    const { connections, config, traffic } = this.#parts;
    const slots = connections.writes(node);
    if (!slots.take()) return overloaded();
    traffic.countRequest(node);
    const client = connections.fresh(node);
    try {
      const onEnd = () => slots.release();
      const limits = { totalMs: this.#tryMs, maxBytes: config.maxAnswerBytes, onEnd };
      const answer = requireFinal(await askNode(client, { ...request, reset: true }, limits));
      client.close(() => {});
      return answer;
    } catch (error) {
      client.destroy(() => {});
      return this.#failed(node, error);
    }
  }

  #failed(node: KnownNode, error: unknown): NodeFault {
    if (!(error instanceof NodeFault)) throw error;
    if (error.kind === 'cancelled' || error.kind === 'busy') return error;
    const reached = error.kind === 'timeout' || error.kind === 'broken';
    this.#parts.traffic.countFailure(node);
    this.#parts.nodes.reportFailure(node, error.message, reached);
    return error;
  }
}

function isLate({ standing }: KnownNode): boolean {
  return standing === 'late';
}

/** A read that waits for a block occupies its connection for seconds; nodes decode the query's names. */
function laneOf({ path }: NodeRequest): Lane {
  const mark = path.indexOf('?');
  return mark !== -1 && new URLSearchParams(path.slice(mark)).has('wait_ms') ? 'waits' : 'reads';
}

function overloaded(): NodeFault {
  return new NodeFault('busy', false, 'is overloaded');
}

/** Rejects redirections and unknown statuses, which the chain's interface does not have. */
function requireFinal(answer: NodeAnswer): NodeAnswer {
  const { status } = answer;
  if ((status < 300 && status !== 206) || status === 304 || (status >= 400 && status < 600)) return answer;
  discard(answer);
  throw new NodeFault('broken', true, 'sent a malformed response');
}
