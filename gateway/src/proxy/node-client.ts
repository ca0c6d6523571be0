import type { Dispatcher } from 'undici';
import type { GatewayConfig } from '../config/config.js';
import type { Attempt } from '../monitoring/answered-requests.js';
import type { Traffic } from '../monitoring/traffic.js';
import type { KnownNode } from '../nodes/known-node.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { NodeConnections, ReadPool } from '../upstream/node-connections.js';
import { malformed, NodeFault } from '../upstream/node-fault.js';
import { type AnswerLimits, askNode, type NodeAnswer, type NodeRequest } from '../upstream/node-request.js';
import type { Semaphore } from '../upstream/semaphore.js';
import type { Outcome } from './chain-read.js';
import { LIMITED } from './combined-outcomes.js';
import { isConditional } from './request-headers.js';

/**
 * A node that has not answered a request for this long is checked, so that a dead node is noticed within 3
 * seconds.
 */
const SUSPECT_MS = 500;

export interface NodeClientParts {
  config: Pick<GatewayConfig, 'timeouts' | 'reads' | 'maxAnswerBytes'>;
  nodes: NodeDirectory;
  connections: NodeConnections;
  traffic: Traffic;
}

interface AskOptions {
  cancellation?: Cancellation | undefined;
  pool: ReadPool;
  /** Default: `waitMs`. */
  totalMs?: number;
  /** Receives the attempt when it has ended. */
  attempts?: Attempt[] | undefined;
}

type SendLimits = Pick<AnswerLimits, 'totalMs' | 'cancellation'> &
  Pick<AskOptions, 'attempts'> & { mayWait?: boolean };

/** Sends a request to one node, counts it, and reports its outcome to the directory. */
export class NodeClient {
  readonly #parts: NodeClientParts;
  /** Time limit of a broadcast, and of a read that waits for a block. */
  readonly waitMs: number;

  constructor(parts: NodeClientParts) {
    this.#parts = parts;
    const { connectMs, answerMs } = parts.config.timeouts;
    this.waitMs = connectMs + answerMs;
  }

  async ask(
    node: KnownNode,
    request: NodeRequest,
    { cancellation, pool, totalMs = this.waitMs, attempts }: AskOptions,
  ): Promise<Outcome> {
    const { dispatcher, semaphore } = this.#parts.connections.shared(node, pool);
    const limits = { totalMs, cancellation, mayWait: pool === 'waits', attempts };
    const outcome = await this.#send(node, dispatcher, semaphore, request, limits);
    if (outcome instanceof NodeFault) return outcome;
    if (outcome.status >= 500 && outcome.status !== 503) {
      this.#parts.nodes.reportPoor(node, `answers ${outcome.status}`);
    } else {
      node.answeredWell();
    }
    return outcome;
  }

  /**
   * Sends a transaction over a new connection. If a stale connection failed, it would be unknown whether the
   * node accepted the transaction.
   */
  async submit(
    node: KnownNode,
    request: NodeRequest,
    { totalMs = this.waitMs, attempts }: Pick<AskOptions, 'totalMs' | 'attempts'>,
  ): Promise<Outcome> {
    const { connections } = this.#parts;
    const client = connections.fresh(node);
    const once = { ...request, reset: true };
    const outcome = await this.#send(node, client, connections.writes(node), once, { totalMs, attempts });
    void connections.end(client);
    if (!(outcome instanceof NodeFault)) node.answeredWell();
    return outcome;
  }

  async #send(
    node: KnownNode,
    dispatcher: Dispatcher,
    semaphore: Semaphore,
    request: NodeRequest,
    limits: SendLimits,
  ): Promise<Outcome> {
    const startMs = performance.now();
    const outcome = await this.#exchange(node, dispatcher, semaphore, request, limits);
    const endMs = performance.now();
    const isSlow = !limits.mayWait && endMs - startMs >= this.#parts.config.reads.nextMs;
    const result = resultOf(outcome, isSlow);
    this.#parts.traffic.countResult(node, result);
    limits.attempts?.push({ node, result, startMs, endMs });
    return outcome;
  }

  async #exchange(
    node: KnownNode,
    dispatcher: Dispatcher,
    semaphore: Semaphore,
    request: NodeRequest,
    { totalMs, cancellation, mayWait }: SendLimits,
  ): Promise<Outcome> {
    if (!semaphore.tryAcquire()) return new NodeFault('busy', false, 'is overloaded');
    const { connections, config, nodes } = this.#parts;
    const onEnd = () => semaphore.release();
    const slow = mayWait ? undefined : setTimeout(() => nodes.suspect(node), SUSPECT_MS);
    try {
      const { memory } = connections;
      const whole = { totalMs, cancellation, maxBytes: config.maxAnswerBytes, memory, onEnd };
      return requireFinal(await askNode(dispatcher, request, whole), request);
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error;
      const { kind, message } = error;
      const reached = kind === 'timeout' || kind === 'broken';
      if (kind !== 'cancelled' && kind !== 'busy') nodes.reportFailure(node, message, reached);
      return error;
    } finally {
      clearTimeout(slow);
    }
  }
}

/**
 * Returns the result for log and metrics: the first digit of the status, such as `2xx`, 429, or what was wrong.
 * A request that was cancelled because the node did not answer in time is `slow`.
 */
function resultOf(outcome: Outcome, isSlow: boolean): string {
  if (!(outcome instanceof NodeFault)) {
    return outcome.status === LIMITED ? `${LIMITED}` : `${Math.floor(outcome.status / 100)}xx`;
  }
  return outcome.kind === 'cancelled' && isSlow ? 'slow' : outcome.kind;
}

/**
 * Rejects redirects and unknown statuses, which the chain API does not define, and a 304 to an unconditional
 * request.
 */
function requireFinal(answer: NodeAnswer, { headers }: NodeRequest): NodeAnswer {
  const { status } = answer;
  if ((status < 300 && status !== 206) || (status >= 400 && status < 600)) return answer;
  if (status === 304 && isConditional(headers)) return answer;
  throw malformed();
}
