import type { NodeAddress, NodeRole } from '../base/node-address.js';

/**
 * An administrator's changes to the configuration's and the registry's nodes; a node is in at most one list.
 */
export interface AllowlistChanges {
  added: readonly (NodeAddress & { role: NodeRole })[];
  removed: readonly NodeAddress[];
}

/** Stores the changes for all processes of one gateway; methods throw if the store fails. */
export interface AllowlistStore {
  read(): Promise<AllowlistChanges>;
  add(node: NodeAddress & { role: NodeRole }): Promise<void>;
  remove(node: NodeAddress): Promise<void>;
  /** Calls the listener after every change, made by any process. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}
