import type { NodeAddress, NodeRole } from '../upstream/node-address.js';

/** What an administrator changed, over what the configuration and the registry say; a node is in one of the two at most. */
export interface AllowlistChanges {
  added: readonly (NodeAddress & { role: NodeRole })[];
  removed: readonly NodeAddress[];
}

/** Keeps the changes for all processes of one gateway; each method throws when they cannot be read or kept. */
export interface AllowlistStore {
  read(): Promise<AllowlistChanges>;
  add(node: NodeAddress & { role: NodeRole }): Promise<void>;
  remove(node: NodeAddress): Promise<void>;
  /** Is told of every change, its own too, by whichever process it was made. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}
