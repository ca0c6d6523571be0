import type { NodeAddress } from '../base/node-address.js';
import type { AllowlistChanges, AllowlistStore, CordonCause } from './allowlist-store.js';
import {
  type AddedNode,
  admission,
  type Change,
  cordoning,
  fromTable,
  NO_CHANGES,
  uncordoning,
} from './changes.js';
import { Listeners } from './listeners.js';

/** Stores the changes until the process ends. */
export class MemoryStore implements AllowlistStore {
  #table = NO_CHANGES;
  readonly #listeners = new Listeners();

  async read(): Promise<AllowlistChanges> {
    return fromTable(this.#table);
  }

  async add(node: AddedNode): Promise<void> {
    this.#make(admission(node, node.role));
  }

  async remove(node: NodeAddress): Promise<void> {
    this.#make(admission(node, 'removed'));
  }

  async cordon(node: NodeAddress, cause: CordonCause): Promise<void> {
    this.#make(cordoning(node, cause));
  }

  async uncordon(node: NodeAddress): Promise<void> {
    this.#make(uncordoning(node));
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {}

  #make(change: Change): void {
    this.#table = change(this.#table);
    this.#listeners.notify();
  }
}
