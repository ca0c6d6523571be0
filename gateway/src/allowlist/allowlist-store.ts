import { RequestError } from '../base/errors.js';
import { addressOf, type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';

/**
 * Maximum number of added and removed nodes together, and of cordoned nodes; far above any operator's need.
 */
export const MAX_CHANGES = 4096;

type AddedNode = NodeAddress & { role: NodeRole };

/**
 * An administrator's changes to the list of nodes that configuration and registry admit. A node is in at most
 * one of `added` and `removed`.
 */
export interface AllowlistChanges {
  added: readonly AddedNode[];
  removed: readonly NodeAddress[];
  /** Nodes that receive no requests; undefined if empty. */
  cordoned?: readonly NodeAddress[];
}

/**
 * Returns the changed lists, or its argument if nothing changes. Throws RequestError 409 if the result would
 * exceed MAX_CHANGES.
 */
export type Change = (changes: AllowlistChanges) => AllowlistChanges;

export const NO_CHANGES: AllowlistChanges = { added: [], removed: [] };

/**
 * Stores the allowlist's changes of one gateway, or of several gateways that share a file. The methods throw
 * if the store fails.
 */
export abstract class AllowlistStore {
  readonly #listeners = new Set<() => void>();

  abstract read(): Promise<AllowlistChanges>;
  abstract close(): Promise<void>;
  protected abstract store(change: Change): Promise<void>;

  add(node: AddedNode): Promise<void> {
    const { role } = node;
    return this.#make(changes => {
      if (changes.added.some(each => has([each], node) && each.role === role)) return changes;
      const { added, removed } = without(changes, node);
      return { ...changes, added: [...added, { ...addressOf(node), role }], removed };
    });
  }

  remove(node: NodeAddress): Promise<void> {
    return this.#make(changes => {
      if (has(changes.removed, node)) return changes;
      const { added, removed } = without(changes, node);
      return { ...changes, added, removed: [...removed, addressOf(node)] };
    });
  }

  cordon(node: NodeAddress): Promise<void> {
    return this.#make(changes => {
      const { cordoned = [] } = changes;
      return has(cordoned, node) ? changes : { ...changes, cordoned: [...cordoned, addressOf(node)] };
    });
  }

  uncordon(node: NodeAddress): Promise<void> {
    return this.#make(changes => {
      if (!has(changes.cordoned, node)) return changes;
      const { added, removed } = changes;
      const { cordoned } = without(changes, node);
      return { added, removed, ...(cordoned.length > 0 && { cordoned }) };
    });
  }

  /** Calls the listener after every change by any process, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  protected readonly notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  async #make(change: Change): Promise<void> {
    await this.store(changes => limited(change(changes)));
    this.notify();
  }
}

/** Stores the changes until the process ends. */
export class MemoryStore extends AllowlistStore {
  #changes = NO_CHANGES;

  async read(): Promise<AllowlistChanges> {
    return this.#changes;
  }

  async close(): Promise<void> {}

  protected async store(change: Change): Promise<void> {
    this.#changes = change(this.#changes);
  }
}

function has(nodes: readonly NodeAddress[] | undefined, node: NodeAddress): boolean {
  return nodes?.some(each => nodeKey(each) === nodeKey(node)) ?? false;
}

function without({ added, removed, cordoned = [] }: AllowlistChanges, node: NodeAddress) {
  const isOther = (each: NodeAddress) => nodeKey(each) !== nodeKey(node);
  return {
    added: added.filter(isOther),
    removed: removed.filter(isOther),
    cordoned: cordoned.filter(isOther),
  };
}

function limited(changes: AllowlistChanges): AllowlistChanges {
  const { added, removed, cordoned = [] } = changes;
  if (Math.max(added.length + removed.length, cordoned.length) <= MAX_CHANGES) return changes;
  throw new RequestError(409, `The allowlist is full (${MAX_CHANGES} changes)`);
}
