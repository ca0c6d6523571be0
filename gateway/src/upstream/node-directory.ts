import type { AdmittedNode, NodeAddress, NodeRole } from './node-address.js';

/** What the last check of a node, or a request since then, told of it. */
export interface NodeHealth {
  answers: boolean;
  /** Why it does not answer, in words of ours; never text of the node's. */
  fault?: string;
  /** Lower hex; of the last check that told one. */
  genesisHash?: string;
  height?: bigint;
  signingVersion?: bigint;
  latencyMs?: number;
  /** 0 before the first check. */
  checkedAtMs: number;
}

export interface KnownNode extends AdmittedNode {
  readonly health: NodeHealth;
  /** Answers and is on the agreed chain. */
  readonly routed: boolean;
}

/** The nodes that this gateway admits: static and admin ones, and in public mode those of the chain's registry. */
export interface NodeDirectory {
  /** Every admitted node, in a steady order. */
  nodes(): readonly KnownNode[];
  find(address: NodeAddress): KnownNode | undefined;
  /** The nodes of a role that requests go to, the one to ask first in front; the order rotates. */
  routed(role: NodeRole): readonly KnownNode[];
  /** The chain that is routed to, lower hex; undefined until a node told one. */
  genesisHash(): string | undefined;
  /** Tells of a failed request, in words of ours: a node that was not `reached` is down until its next check; another one is asked last, and checked at once. */
  reportFailure(address: NodeAddress, fault: string, reached: boolean): void;
  /** Reads the allowlist and the registry again and checks every node. */
  refresh(): Promise<void>;
  /** Checks every node once, then at every interval. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
