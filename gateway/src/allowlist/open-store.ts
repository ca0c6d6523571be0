import type { NodeAddress } from '../base/node-address.js';
import type { GatewayConfig } from '../config/config.js';
import type { AllowlistChanges, AllowlistStore, CordonCause } from './allowlist-store.js';
import {
  type AddedNode,
  admission,
  type Change,
  cordoning,
  fromTable,
  Listeners,
  NO_CHANGES,
  uncordoning,
} from './changes.js';
import { FileStore } from './file-store.js';

/** Stores the changes until the process ends. */
class MemoryStore implements AllowlistStore {
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

type Where = Pick<GatewayConfig, 'redisUrl' | 'stateFile' | 'gatewayHost'>;

/** Opens the configured store (Redis, file or memory); throws ConfigError if its content is unusable. */
export async function openAllowlistStore(
  { redisUrl, stateFile, gatewayHost }: Where,
  onError: (error: Error) => void = error => process.emitWarning(error),
): Promise<AllowlistStore> {
  const store = await openStore();
  await store.read().catch(async error => {
    await store.close();
    throw error;
  });
  return store;

  async function openStore(): Promise<AllowlistStore> {
    if (redisUrl === undefined) {
      return stateFile === undefined ? new MemoryStore() : new FileStore(stateFile, onError);
    }
    const { RedisStore } = await import('./redis-store.js');
    return RedisStore.open(redisUrl, gatewayHost, onError);
  }
}
