import type { AdmittedNode, NodeAddress, NodeRole } from '../base/node-address.js';
import type { CircuitBreaker } from './circuit-breaker.js';

/** State of a node, as of its last check or of a later request. */
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

/** The rule by which a node was asked: docs/gateway/routing.md#chain-routes. */
export type AnsweredBy = 'archival' | 'full' | 'full after 404' | 'full after failure';

/** How closely a node follows the chain. A `late` node is asked last; an `out` node is not asked. */
export type Standing = 'in-step' | 'late' | 'out';

/** How a node differs from most of the operator's nodes. */
export interface Fork {
  /** Height of a block that differs. */
  height: bigint;
  /** `nodeKey` of a node whose fork is followed instead. */
  other: string;
}

export interface KnownNode extends AdmittedNode {
  readonly health: NodeHealth;
  /** Number of blocks behind the best of the operator's nodes, as of the last check; 0 if unknown. */
  readonly behind: bigint;
  readonly standing: Standing;
  /** Set while the node is on another fork of the chain than most of the operator's nodes. */
  readonly fork?: Fork | undefined;
  /** Whether an administrator cordoned the node. */
  readonly isCordoned: boolean;
  readonly breaker: CircuitBreaker;
  /** Whether the node answers, is on the routed chain and fork, and is neither out nor cordoned. */
  readonly routed: boolean;
}

/**
 * The nodes that this gateway admits: those of the configuration, those that an administrator added, and in
 * public mode those of the chain's registry.
 */
export interface NodeDirectory {
  /** Every admitted node, in a stable order. */
  nodes(): readonly KnownNode[];
  find(address: NodeAddress): KnownNode | undefined;
  /** The routed nodes of a role, in the order in which they are asked. Nodes of equal rank take turns. */
  routed(role: NodeRole): readonly KnownNode[];
  /** Highest credible height of the operator's nodes in the last round of checks. */
  bestHeight(): bigint | undefined;
  /**
   * Genesis hash of the routed chain, in lower-case hex; undefined until the nodes agree on one. It never
   * changes.
   */
  genesisHash(): string | undefined;
  /**
   * Reports a failed request. If the node was not `reached`, it counts as down until its next check.
   * Otherwise it is asked last and checked at once.
   */
  reportFailure(address: NodeAddress, fault: string, reached: boolean): void;
  /** Checks a node that has not answered a request for a while. */
  suspect(address: NodeAddress): void;
  /**
   * Counts a poor answer for the breaker: a 5xx other than 503, or an answer that arrived after that of a
   * node which was asked later.
   */
  reportPoor(address: NodeAddress, reason: string): void;
  /** Applies the current allowlist. */
  follow(): Promise<void>;
  /** Reads the allowlist and the registry again and checks every node. */
  refresh(): Promise<void>;
  /** Checks every node once, then at every interval. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
