import type { GatewayConfig } from '../config/config.js';
import type { Traffic } from '../monitoring/traffic.js';
import type { KnownNode, NodeDirectory } from '../nodes/node-directory.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { NodeConnections, ReadPool } from '../upstream/node-connections.js';
import { NodeFault } from '../upstream/node-fault.js';
import { type AnswerLimits, askNode, type NodeAnswer, type NodeRequest } from '../upstream/node-request.js';
import { discard } from '../upstream/response-body.js';
import type { Outcome } from './hedged-read.js';
import { asksToWait, isConditional } from './request-headers.js';

export interface NodeClientParts {
  config: Pick<GatewayConfig, 'timeouts' | 'maxAnswerBytes'>;
  nodes: NodeDirectory;
  connections: NodeConnections;
  traffic: Traffic;
}

interface AskOptions {
  cancellation?: Cancellation | undefined;
  pool: ReadPool;
  /** Default: the time of one try. */
  totalMs?: number;
}

/** Sends single requests to single nodes, counts them, and reports how the nodes did. */
export class NodeClient {
  readonly #parts: NodeClientParts;
  /** The longest that one request takes. */
  readonly tryMs: number;

  constructor(parts: NodeClientParts) {
    this.#parts = parts;
    const { connectMs, answerMs, pieceMs } = parts.config.timeouts;
    this.tryMs = connectMs + answerMs + pieceMs;
  }

  async ask(
    node: KnownNode,
    request: NodeRequest,
    { cancellation, pool, totalMs = this.tryMs }: AskOptions,
  ): Promise<Outcome> {
    const { connections, config, nodes } = this.#parts;
    const { dispatcher, semaphore } = connections.shared(node, pool);
    if (!semaphore.tryAcquire()) return overloaded();
    const limits: AnswerLimits = {
      totalMs,
      maxBytes: config.maxAnswerBytes,
      cancellation,
      memory: connections.memory,
      onEnd: this.#begin(node, semaphore),
    };
    const startMs = performance.now();
    try {
      const answer = requireFinal(await askNode(dispatcher, request, limits), request);
      if (answer.status >= 500 && answer.status !== 503) {
        nodes.reportPoor(node);
      } else {
        node.breaker.succeeded();
        const hasWaited = pool === 'waits' || asksToWait(request.path);
        if (!hasWaited) node.latencies.add(performance.now() - startMs);
      }
      return answer;
    } catch (error) {
      return this.#failed(node, error);
    }
  }

  /** Uses a new connection: on a stale one it would be unknown whether the node accepted the transaction. */
  async submit(node: KnownNode, request: NodeRequest): Promise<Outcome> {
    const { connections, config } = this.#parts;
    const semaphore = connections.writes(node);
    if (!semaphore.tryAcquire()) return overloaded();
    const client = connections.fresh(node);
    try {
      const limits: AnswerLimits = {
        totalMs: this.tryMs,
        maxBytes: config.maxAnswerBytes,
        memory: connections.memory,
        onEnd: this.#begin(node, semaphore),
      };
      const answer = requireFinal(await askNode(client, { ...request, reset: true }, limits), request);
      client.close(() => {});
      node.breaker.succeeded();
      return answer;
    } catch (error) {
      client.destroy(() => {});
      return this.#failed(node, error);
    }
  }

  /** Returns what is to be called at the end. */
  #begin(node: KnownNode, semaphore: { release(): void }): () => void {
    const { traffic } = this.#parts;
    traffic.countRequest(node);
    return () => {
      semaphore.release();
      traffic.countEnd(node);
    };
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

function overloaded(): NodeFault {
  return new NodeFault('busy', false, 'is overloaded');
}

/**
 * Rejects redirections and unknown statuses, which the chain's interface does not have, and a 304 for a
 * client that has nothing.
 */
function requireFinal(answer: NodeAnswer, { headers }: NodeRequest): NodeAnswer {
  const { status } = answer;
  if ((status < 300 && status !== 206) || (status >= 400 && status < 600)) return answer;
  if (status === 304 && isConditional(headers)) return answer;
  discard(answer);
  throw new NodeFault('broken', true, 'sent a malformed response');
}
