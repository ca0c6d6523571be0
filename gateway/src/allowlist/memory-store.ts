import type { NodeAddress, NodeRole } from '../base/node-address.js';
import type { AllowlistChanges, AllowlistStore } from './allowlist-store.js';
import { type AddedNode, type ChangeTable, fromTable, withChange } from './changes.js';

/** Stores the changes until the process ends. */
export class MemoryStore implements AllowlistStore {
  #table: ChangeTable = new Map();
  readonly #listeners: (() => void)[] = [];

  async read(): Promise<AllowlistChanges> {
    return fromTable(this.#table);
  }

  async add(node: AddedNode): Promise<void> {
    this.#change(node, node.role);
  }

  async remove(node: NodeAddress): Promise<void> {
    this.#change(node, 'removed');
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {}

  #change(node: NodeAddress, change: NodeRole | 'removed'): void {
    this.#table = withChange(this.#table, node, change);
    for (const listener of this.#listeners) listener();
  }
}
