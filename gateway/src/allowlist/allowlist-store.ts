import type { NodeAddress, NodeRole } from '../base/node-address.js';

/**
 * Who took a node out: an administrator, or the gateway because most nodes contradicted it about what is
 * confirmed.
 */
export const CORDON_CAUSES = ['admin', 'disagreement'] as const;
export type CordonCause = (typeof CORDON_CAUSES)[number];

/** A node that requests do not go to. */
type CordonedNode = NodeAddress & { cause: CordonCause };

/**
 * An administrator's changes to the configuration's and the registry's nodes; a node is in at most one of the
 * first two lists.
 */
export interface AllowlistChanges {
  added: readonly (NodeAddress & { role: NodeRole })[];
  removed: readonly NodeAddress[];
  /** Undefined when empty, so that an older gateway can read the file. */
  cordoned?: readonly CordonedNode[];
}

/** Stores the changes for all processes of one gateway; methods throw if the store fails. */
export interface AllowlistStore {
  read(): Promise<AllowlistChanges>;
  add(node: NodeAddress & { role: NodeRole }): Promise<void>;
  remove(node: NodeAddress): Promise<void>;
  cordon(node: NodeAddress, cause: CordonCause): Promise<void>;
  uncordon(node: NodeAddress): Promise<void>;
  /** Calls the listener after every change, made by any process, until the returned function is called. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}
