import type { AdmittedNode, NodeAddress, NodeRole } from '../base/node-address.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { LatencyWindow } from './latency-window.js';

/** State of a node as of its last check or a request since then. */
export interface NodeHealth {
  answers: boolean;
  /** Why it does not answer; never text from the node. */
  fault?: string;
  /** Lower hex; from the last successful check. */
  genesisHash?: string;
  height?: bigint;
  latencyMs?: number;
  /** 0 before the first check. */
  checkedAtMs: number;
}

/** By which rule a node was asked: docs/gateway/routing.md#chain-routes. */
export type AnsweredBy = 'archival' | 'full' | 'full after 404' | 'full after failure';

/** How far a node follows the chain: `late` ones are asked last, those that are `out` not at all. */
export type Standing = 'in-step' | 'late' | 'out';

export interface KnownNode extends AdmittedNode {
  readonly health: NodeHealth;
  /** Blocks behind the best of the operator's nodes, as of the last check; 0 if unknown. */
  readonly behind: bigint;
  readonly standing: Standing;
  /** Whether an administrator took it out. */
  readonly isCordoned: boolean;
  readonly breaker: CircuitBreaker;
  /** Of reads that do not wait for a block. */
  readonly latencies: LatencyWindow;
  /** Whether it answers, is on the chain that is routed to and is neither out nor cordoned. */
  readonly routed: boolean;
}

/**
 * The nodes that this gateway admits: static and admin ones, and in public mode those of the chain's
 * registry.
 */
export interface NodeDirectory {
  /** Every admitted node, in a stable order. */
  nodes(): readonly KnownNode[];
  find(address: NodeAddress): KnownNode | undefined;
  /** The routed nodes of a role in the order to ask them; rotates. */
  routed(role: NodeRole): readonly KnownNode[];
  /** The greatest height of the operator's nodes at the last round of checks, as far as it is believed. */
  bestHeight(): bigint | undefined;
  /** The chain that is routed to, lower hex; undefined until most nodes reported one. It never changes. */
  genesisHash(): string | undefined;
  /**
   * Reports a failed request: a node that was not `reached` is down until its next check; any other is asked
   * last and checked at once.
   */
  reportFailure(address: NodeAddress, fault: string, reached: boolean): void;
  /** Has a node checked that has not answered a request for a while. */
  suspect(address: NodeAddress): void;
  /** Reports a 5xx other than 503, or that a node asked later answered first: the breaker counts it. */
  reportPoor(address: NodeAddress): void;
  /** Applies what the allowlist says now. */
  follow(): Promise<void>;
  /** Reads the allowlist and the registry again and checks every node. */
  refresh(): Promise<void>;
  /** Checks every node once, then at every interval. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
