import type { Attempt } from '../monitoring/answered-requests.js';
import { atEnd, isLate, type KnownNode } from '../nodes/known-node.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { ReadPool } from '../upstream/node-connections.js';
import { NodeFault } from '../upstream/node-fault.js';
import type { NodeRequest } from '../upstream/node-request.js';
import type { ResponseMemory } from '../upstream/response-memory.js';
import { ChainRead } from './chain-read.js';
import type { RoutedAnswer } from './combined-outcomes.js';
import { faultError, noNodeAvailable } from './combined-outcomes.js';
import { NodeClient, type NodeClientParts } from './node-client.js';
import { asksToWait } from './request-headers.js';

/** Maximum number of full nodes that are tried per request. All archival nodes are tried. */
const MAX_FULL = 3;
const ACCOUNTS = '/api/v1/accounts/';
const MAYBE_ACCEPTED = 'it may have accepted the transaction, so check its status before sending it again';

export interface ReadOptions {
  /** Cancels the attempts. */
  cancellation?: Cancellation | undefined;
  /**
   * The greatest height that the client has seen. Nodes below this height are asked after the others of their
   * role.
   */
  seenHeight?: bigint | undefined;
  /** Default: `waits` for reads that wait for a block, otherwise `reads`. */
  pool?: ReadPool;
  /** Receives each attempt when it has ended. */
  attempts?: Attempt[];
}

/**
 * Chooses the nodes for a request (docs/gateway/routing.md#chain-routes). Throws RequestError 502, 503 or 504
 * if no node answers.
 */
export class ChainRouter {
  readonly #parts: NodeClientParts;
  readonly #client: NodeClient;

  constructor(parts: NodeClientParts) {
    this.#parts = parts;
    this.#client = new NodeClient(parts);
  }

  /** Memory for responses that clients have not received yet. */
  get memory(): ResponseMemory {
    return this.#parts.connections.memory;
  }

  /**
   * Asks archival nodes first; asks full nodes after an empty 404, when all archival nodes failed, or when they
   * have not answered for a while. Nodes that answered poorly are asked last.
   */
  async read(request: NodeRequest, options: ReadOptions = {}): Promise<RoutedAnswer> {
    const { nodes, config } = this.#parts;
    const { cancellation, seenHeight, pool = poolOf(request), attempts } = options;
    const { waitMs } = this.#client;
    const read = new ChainRead({
      nodes,
      readers: this.#readers(request, this.#least(seenHeight)),
      limits: pool === 'waits' ? { nextMs: undefined, tryMs: waitMs, totalMs: waitMs } : config.reads,
      cancellation,
      ask: (node, totalMs, ends) =>
        this.#client.ask(node, request, { pool, cancellation: ends, totalMs, attempts }),
    });
    return read.answer();
  }

  /** Asks one node and returns its response, whatever its status. */
  async readFrom(node: KnownNode, request: NodeRequest, options: ReadOptions = {}): Promise<RoutedAnswer> {
    const { cancellation, pool = poolOf(request), attempts } = options;
    const answer = await this.#client.ask(node, request, { cancellation, pool, attempts });
    if (answer instanceof NodeFault) throw faultError(answer);
    return { node, answer, by: node.role };
  }

  /** Asks a full node. Asks the next one only if no byte can have reached the previous one. */
  async submit(request: NodeRequest, attempts?: Attempt[]): Promise<RoutedAnswer> {
    const endMs = performance.now() + this.#client.waitMs;
    let fault: NodeFault | undefined;
    for (const node of this.#parts.nodes.routed('full').slice(0, MAX_FULL)) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) break;
      const answer = await this.#client.submit(node, request, { totalMs: leftMs, attempts });
      if (!(answer instanceof NodeFault)) return { node, answer, by: 'full' };
      fault = answer;
      if (fault.sent) break;
    }
    throw fault === undefined ? noNodeAvailable('full node') : faultError(fault, MAYBE_ACCEPTED);
  }

  async submitTo(node: KnownNode, request: NodeRequest, attempts?: Attempt[]): Promise<RoutedAnswer> {
    const answer = await this.#client.submit(node, request, { attempts });
    if (answer instanceof NodeFault) throw faultError(answer, MAYBE_ACCEPTED);
    return { node, answer, by: node.role };
  }

  /**
   * Returns the height that a node reported at its last check, or `bestHeight` if the reported height is
   * greater.
   */
  heightOf({ health: { height } }: KnownNode): bigint | undefined {
    const best = this.#parts.nodes.bestHeight();
    return best !== undefined && height !== undefined && height > best ? best : height;
  }

  /**
   * Returns the height that a client has seen, or `bestHeight` if the client's height is greater: no node is
   * known to be above `bestHeight`.
   */
  #least(seenHeight: bigint | undefined): bigint {
    const best = this.#parts.nodes.bestHeight();
    if (seenHeight === undefined) return 0n;
    return best !== undefined && best < seenHeight ? best : seenHeight;
  }

  /**
   * Returns all archival nodes, then full nodes, then those of both that answered poorly. Lag and the client's
   * height change the order only within a role, because a full node reports another spendable balance for the
   * same account.
   */
  #readers({ path }: NodeRequest, least: bigint): readonly KnownNode[] {
    const { nodes } = this.#parts;
    const inOrder = (all: readonly KnownNode[]) => {
      const own = lesser(least, highestOf(all));
      return atEnd(atEnd(all, isLate), node => isBelow(node, own));
    };
    const archival = inOrder(nodes.routed('archival'));
    if (archival.length === 0 && path.startsWith(ACCOUNTS) && nodes.nodes().some(isTooLateArchival)) {
      throw noNodeAvailable('archival node');
    }
    const full = inOrder(nodes.routed('full')).slice(0, MAX_FULL);
    return atEnd([...archival, ...full], ({ isPoor }) => isPoor);
  }
}

/** Whether an archival node answers but is too far behind to be asked. */
function isTooLateArchival({ role, standing, health }: KnownNode): boolean {
  return role === 'archival' && standing === 'out' && health.answers;
}

function highestOf(nodes: readonly KnownNode[]): bigint {
  const own = nodes.filter(({ source }) => source !== 'registry');
  return own.reduce((most, { health: { height = 0n } }) => (height > most ? height : most), 0n);
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/**
 * Whether a node is below this height. A registered node counts as below, because it may claim any height.
 */
function isBelow({ source, health: { height } }: KnownNode, least: bigint): boolean {
  return least > 0n && (source === 'registry' || (height !== undefined && height < least));
}

/**
 * Returns the default pool: reads that wait for a block have their own, because each occupies its connection
 * for seconds.
 */
function poolOf({ path }: NodeRequest): ReadPool {
  return asksToWait(path) ? 'waits' : 'reads';
}
