import type { LookupAddress } from 'node:dns';
import type { AdmittedNode, NodeRole, NodeSource } from '../base/node-address.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { Fork, KnownNode, NodeHealth, Standing } from './node-directory.js';
import type { NodeState } from './node-state.js';

const RANKS = 8;

/** A node of the directory; its state is mutable. */
export class CheckedNode implements KnownNode {
  ip: string;
  readonly port: number;
  readonly host?: string;
  /** All addresses of a named node, as of its last resolution. */
  addresses: readonly LookupAddress[] = [];
  role: NodeRole;
  source: NodeSource;
  health: NodeHealth = { answers: false, fault: 'not checked yet', checkedAtMs: 0 };
  behind = 0n;
  standing: Standing = 'in-step';
  fork: Fork | undefined;
  /** Set once its blocks could be compared with those of the others, since it was admitted. */
  isCompared = false;
  isCordoned = false;
  readonly breaker = new CircuitBreaker();
  routed = false;
  /** The state that was last logged; undefined before that. */
  told: NodeState | undefined;
  /** Set if a request failed since the last check; the node is then asked last. */
  suspect = false;
  /** The running check. */
  check: Promise<void> | undefined;

  constructor({ ip, port, host, role, source }: AdmittedNode) {
    this.ip = ip;
    if (host !== undefined) this.host = host;
    this.port = port;
    this.role = role;
    this.source = source;
  }

  /**
   * Nodes of lower rank are asked first; the rank is less than RANKS. A late node counts most,
   * then a suspect node, then a registered node.
   */
  get rank(): number {
    const isLate = this.standing === 'late';
    return (isLate ? 4 : 0) + (this.suspect ? 2 : 0) + (this.source === 'registry' ? 1 : 0);
  }
}

/**
 * The routed nodes of one role, ordered by rank. Nodes of equal rank take turns, and those whose breaker is open
 * come last.
 */
export class RoutingOrder {
  #ranks: CheckedNode[][] = [];
  #turn = 0;

  set(nodes: readonly CheckedNode[]): void {
    const ranks = Array.from({ length: RANKS }, (): CheckedNode[] => []);
    for (const node of nodes) ranks[node.rank]!.push(node);
    this.#ranks = ranks.filter(rank => rank.length > 0);
  }

  next(): readonly CheckedNode[] {
    if (this.#ranks.length === 1 && this.#ranks[0]!.length === 1) return this.#ranks[0]!;
    this.#turn = (this.#turn + 1) % Number.MAX_SAFE_INTEGER;
    const inTurn = this.#ranks.flatMap(rank => {
      const first = this.#turn % rank.length;
      return [...rank.slice(first), ...rank.slice(0, first)];
    });
    return atEnd(inTurn, ({ breaker }) => breaker.isOpen);
  }
}

/** Moves the nodes for which `goesLast` holds to the end; the order is otherwise unchanged. */
export function atEnd<Node>(nodes: readonly Node[], goesLast: (node: Node) => boolean): readonly Node[] {
  return nodes.some(goesLast) ? [...nodes.filter(node => !goesLast(node)), ...nodes.filter(goesLast)] : nodes;
}
