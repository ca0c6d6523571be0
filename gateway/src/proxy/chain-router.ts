import type { GatewayConfig } from '../config/config.js';
import type { Traffic } from '../monitoring/traffic.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { Lane, NodeConnections } from '../upstream/node-connections.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { NodeFault } from '../upstream/node-fault.js';
import { type AnswerLimits, askNode, type NodeAnswer, type NodeRequest } from '../upstream/node-request.js';
import { discard } from './answer-body.js';
import type { Outcome } from './attempt.js';
import { HedgeBudget } from './hedge-budget.js';
import type { RoutedAnswer } from './read-answers.js';
import { Reading } from './reading.js';
import { isConditional } from './request-headers.js';
import { faultError, noNodeAvailable } from './routing-errors.js';

const MAX_TRIES = 3;
/** Leaves a try for a full node when archival nodes fail. */
const MAX_ARCHIVAL_TRIES = 2;
const MAYBE_ACCEPTED = 'it may have accepted the transaction, so check its status before sending it again';

interface RouterParts {
  config: Pick<GatewayConfig, 'timeouts' | 'maxAnswerBytes' | 'hedgeMs'>;
  nodes: NodeDirectory;
  connections: NodeConnections;
  traffic: Traffic;
}

export interface ReadOptions {
  /** Ends the tries. */
  cancellation?: Cancellation | undefined;
  /** A height that the client has seen: nodes below it are asked after the others. */
  seenHeight?: bigint | undefined;
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
  readonly #hedges = new HedgeBudget();

  constructor(parts: RouterParts) {
    this.#parts = parts;
    const { connectMs, answerMs, pieceMs } = parts.config.timeouts;
    this.#tryMs = connectMs + answerMs + pieceMs;
  }

  /**
   * Asks archival nodes first, full nodes after an empty 404 or a failure, and the next node too while one is
   * slower than usual; all tries take at most twice the time of one.
   */
  async read(request: NodeRequest, options: ReadOptions = {}): Promise<RoutedAnswer> {
    const { nodes, config, traffic } = this.#parts;
    const { cancellation, seenHeight, lane = laneOf(request) } = options;
    this.#hedges.earn();
    const mayWait = waits(request, lane) || config.hedgeMs === 0;
    const reading = new Reading({
      nodes,
      readers: this.#readers(seenHeight),
      totalMs: 2 * this.#tryMs,
      tryMs: this.#tryMs,
      cancellation,
      ask: (node, milliseconds, ends) => this.ask(node, request, { lane, cancellation: ends }, milliseconds),
      patienceWith: ({ conduct: { p95Ms } }) =>
        mayWait || p95Ms === undefined ? undefined : Math.max(p95Ms, config.hedgeMs),
      mayHedge: next => {
        if (isLast(next) || isBelow(next, this.#least(seenHeight)) || !this.#hedges.spend()) return false;
        traffic.countRead('hedged');
        return true;
      },
    });
    return reading.answer();
  }

  /** Asks one node and returns any response. */
  async readFrom(node: KnownNode, request: NodeRequest, options: ReadOptions = {}): Promise<RoutedAnswer> {
    const answer = await this.ask(node, request, options);
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

  /** Asks one node once. */
  async ask(
    node: KnownNode,
    request: NodeRequest,
    { cancellation, lane = laneOf(request) }: ReadOptions,
    totalMs: number = this.#tryMs,
  ): Promise<Outcome> {
    const { connections, config, traffic, nodes } = this.#parts;
    const { dispatcher, slots } = connections.shared(node, lane);
    if (!slots.take()) return overloaded();
    traffic.countRequest(node);
    const limits: AnswerLimits = {
      totalMs,
      maxBytes: config.maxAnswerBytes,
      cancellation,
      memory: connections.memory,
      onEnd: () => {
        slots.release();
        traffic.countEnd(node);
      },
    };
    const startMs = performance.now();
    try {
      const answer = requireFinal(await askNode(dispatcher, request, limits), request);
      if (answer.status >= 500 && answer.status !== 503) {
        nodes.reportPoor(node);
      } else {
        node.conduct.answered(waits(request, lane) ? undefined : performance.now() - startMs);
      }
      return answer;
    } catch (error) {
      return this.#failed(node, error);
    }
  }

  /** The height that a node reported at its last check, as far as it is believed. */
  heightOf({ health: { height } }: KnownNode): bigint | undefined {
    const best = this.#parts.nodes.bestHeight();
    return best !== undefined && height !== undefined && height > best ? best : height;
  }

  /** What a client has seen, as far as it is believed: above that, no node is known to have it. */
  #least(seenHeight: bigint | undefined): bigint {
    const best = this.#parts.nodes.bestHeight();
    if (seenHeight === undefined) return 0n;
    return best !== undefined && best < seenHeight ? best : seenHeight;
  }

  #readers(seenHeight: bigint | undefined): readonly KnownNode[] {
    const { nodes } = this.#parts;
    const least = this.#least(seenHeight);
    const below = (node: KnownNode) => isBelow(node, least);
    const archival = atEnd(nodes.routed('archival'), below).slice(0, MAX_ARCHIVAL_TRIES);
    const full = atEnd(nodes.routed('full'), below).slice(0, MAX_TRIES - archival.length);
    if (archival.length + full.length === 1) return archival.length === 1 ? archival : full;
    return atEnd(atEnd([...archival, ...full], isLast), below);
  }

  /** Uses a new connection: on a stale one it would be unknown whether the node accepted the transaction. */
  async #tryToSubmit(node: KnownNode, request: NodeRequest): Promise<NodeAnswer | NodeFault> {
    const { connections, config, traffic } = this.#parts;
    const slots = connections.writes(node);
    if (!slots.take()) return overloaded();
    traffic.countRequest(node);
    const client = connections.fresh(node);
    try {
      const onEnd = () => {
        slots.release();
        traffic.countEnd(node);
      };
      const limits = { totalMs: this.#tryMs, maxBytes: config.maxAnswerBytes, onEnd };
      const answer = requireFinal(await askNode(client, { ...request, reset: true }, limits), request);
      client.close(() => {});
      node.conduct.answered();
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

/** Whether other nodes are asked first. */
function isLast({ standing, conduct }: KnownNode): boolean {
  return standing === 'late' || conduct.isOpen;
}

function isBelow({ health: { height } }: KnownNode, least: bigint): boolean {
  return height !== undefined && height < least;
}

/** The nodes in their order, but those that `goesLast` holds for after the others. */
function atEnd(nodes: readonly KnownNode[], goesLast: (node: KnownNode) => boolean): readonly KnownNode[] {
  return nodes.some(goesLast) ? [...nodes.filter(node => !goesLast(node)), ...nodes.filter(goesLast)] : nodes;
}

/** A read that waits for a block occupies its connection for seconds. */
function laneOf({ path }: NodeRequest): Lane {
  return asksToWait(path) ? 'waits' : 'reads';
}

/** Whether its time says nothing about the node. */
function waits({ path }: NodeRequest, lane: Lane): boolean {
  return lane === 'waits' || (lane === 'own' && asksToWait(path));
}

/** Whether a path with a query asks the node to wait for something; nodes decode the query's names. */
export function asksToWait(path: string): boolean {
  const mark = path.indexOf('?');
  return mark !== -1 && new URLSearchParams(path.slice(mark)).has('wait_ms');
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
