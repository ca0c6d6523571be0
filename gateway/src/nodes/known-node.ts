import type { LookupAddress } from 'node:dns';
import { type AdmittedNode, type NodeRole, type NodeSource, nodeKey } from '../base/node-address.js';
import type { GatewayConfig } from '../config/config.js';

/** What the last check of a node found, or a later request. */
export interface NodeHealth {
  answers: boolean;
  /** Why the node does not answer; never text from the node. */
  fault?: string;
  /** Genesis hash of the last successful check, lower-case hex. */
  genesisHash?: string;
  height?: bigint;
  latencyMs?: number;
  /** Time of the last check; 0 before the first. */
  checkedAtMs: number;
}

/** How closely a node follows the chain. A `late` node is asked last; an `out` node is not asked. */
export type Standing = 'in-step' | 'late' | 'out';

/** How a node differs from most of the operator's nodes. */
export interface Fork {
  /** Height of a block that differs. */
  height: bigint;
  /** `nodeKey` of a node whose fork is followed instead. */
  other: string;
}

/** A node that the gateway admits, and its state, which only the directory changes. */
export class KnownNode implements AdmittedNode {
  ip: string;
  readonly port: number;
  readonly host?: string;
  /** All addresses of a named node, as of its last resolution. */
  addresses: readonly LookupAddress[] = [];
  role: NodeRole;
  source: NodeSource;
  health: NodeHealth = { answers: false, fault: 'not checked yet', checkedAtMs: 0 };
  /** Number of blocks behind the best of the operator's nodes, as of the last check; 0 if unknown. */
  behind = 0n;
  standing: Standing = 'in-step';
  /** Set while the node is on another fork of the chain than most of the operator's nodes. */
  fork: Fork | undefined;
  /** Set once its blocks could be compared with those of the others, since it was admitted. */
  isCompared = false;
  /** Whether requests go to the node. */
  routed = false;
  /** The state that was last logged; undefined before that. */
  told: NodeState | undefined;
  /** The running check. */
  check: Promise<void> | undefined;
  /** Poor answers in a row, and what was wrong with the last one. */
  poor = 0;
  poorReason = '';
  /** After too many poor answers, the time until which the node is asked last; 0 after a good answer. */
  poorUntilMs = 0;

  constructor({ ip, port, host, role, source }: AdmittedNode) {
    this.ip = ip;
    if (host !== undefined) this.host = host;
    this.port = port;
    this.role = role;
    this.source = source;
  }

  /** Whether the node is asked last because of its answers. */
  get isPoor(): boolean {
    return this.poorUntilMs !== 0 && performance.now() < this.poorUntilMs;
  }

  answeredWell(): void {
    this.poor = 0;
    if (!this.isPoor) this.poorUntilMs = 0;
  }

  /**
   * Counts a failed or late answer. Returns whether the node is asked last from now on: after a number of such
   * answers in a row, or after one more when the pause has passed.
   */
  answeredPoorly({ failures, pauseMs }: GatewayConfig['breaker'], reason: string): boolean {
    this.poor += 1;
    this.poorReason = reason;
    const isEnough = this.poor >= failures || this.poorUntilMs !== 0;
    if (failures === 0 || this.isPoor || !isEnough) return false;
    this.poorUntilMs = performance.now() + pauseMs;
    return true;
  }
}

/** A node's state in one word; only `routed`, `late` and `poor` nodes receive requests. */
export type NodeState =
  | 'unchecked'
  | 'routed'
  | 'late'
  | 'poor'
  | 'down'
  | 'no-chain'
  | 'other-chain'
  | 'other-fork'
  | 'out';

const UNKNOWN_CHAIN =
  'answers, but fewer than half of your nodes answer, so their chain is unknown: set genesis_hash';

/** Returns the state of a node, and a text for the log and the admin page. */
export function stateOf(
  { health, standing, fork, behind, poorUntilMs, poorReason }: KnownNode,
  genesisHash: string | undefined,
): readonly [state: NodeState, words: string] {
  if (health.checkedAtMs === 0) return ['unchecked', 'has not answered yet'];
  if (!health.answers) return ['down', `is down (${health.fault})`];
  if (genesisHash === undefined) return ['no-chain', UNKNOWN_CHAIN];
  if (health.genesisHash !== genesisHash) return ['other-chain', 'is on another chain'];
  if (fork !== undefined) {
    const block = `another block ${fork.height} than ${fork.other}`;
    return ['other-fork', `has ${block}: it is on another fork and is not asked`];
  }
  if (standing === 'out') return ['out', `is ${behind} blocks behind and is not asked`];
  if (poorUntilMs !== 0) return ['poor', `is asked last, because it ${poorReason} again and again`];
  if (standing === 'late') return ['late', `is ${behind} blocks behind and is asked last`];
  return ['routed', 'is routed to'];
}

/** Describes the node and its state for the log. */
export function describeState(node: KnownNode, genesisHash: string | undefined): string {
  return `node ${nodeKey(node)} (${node.role}) ${stateOf(node, genesisHash)[1]}`;
}

/** Moves the nodes for which `goesLast` holds to the end; the order is otherwise unchanged. */
export function atEnd<Node>(nodes: readonly Node[], goesLast: (node: Node) => boolean): readonly Node[] {
  return nodes.some(goesLast) ? [...nodes.filter(node => !goesLast(node)), ...nodes.filter(goesLast)] : nodes;
}

/** Whether the other nodes of the role are asked before this node. */
export function isLate({ standing }: KnownNode): boolean {
  return standing === 'late';
}

/** The routed nodes of one role: first those in step, then late ones; of both, registered nodes last. */
export class RoutingOrder {
  #ranks: KnownNode[][] = [];
  #turn = 0;

  set(nodes: readonly KnownNode[]): void {
    const [late, inStep] = [nodes.filter(isLate), nodes.filter(node => !isLate(node))];
    const isRegistered = ({ source }: KnownNode) => source === 'registry';
    this.#ranks = [inStep, late]
      .flatMap(all => [all.filter(node => !isRegistered(node)), all.filter(isRegistered)])
      .filter(rank => rank.length > 0);
  }

  /** Nodes of equal rank take turns; nodes that answered poorly come last. */
  next(): readonly KnownNode[] {
    if (this.#ranks.length === 1 && this.#ranks[0]!.length === 1) return this.#ranks[0]!;
    this.#turn = (this.#turn + 1) % Number.MAX_SAFE_INTEGER;
    const inTurn = this.#ranks.flatMap(rank => {
      const first = this.#turn % rank.length;
      return [...rank.slice(first), ...rank.slice(0, first)];
    });
    return atEnd(inTurn, ({ isPoor }) => isPoor);
  }
}
