import { RequestError } from '../base/errors.js';
import { addressOf, type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import type { AllowlistChanges, CordonCause } from './allowlist-store.js';

/** Far more than an operator makes, of admissions and of cordons. */
export const MAX_CHANGES = 4096;

export type AddedNode = NodeAddress & { role: NodeRole };

/** The last change of each node by its `ip:port`: its role if added, else `removed`. */
type Admissions = ReadonlyMap<string, NodeRole | 'removed'>;
type Cordons = ReadonlyMap<string, CordonCause>;

/** What an administrator changed, by `ip:port`. */
interface ChangeTable {
  admissions: Admissions;
  cordons: Cordons;
}

/** Makes one change to a table; throws RequestError 409 if it would exceed MAX_CHANGES. */
export type Change = (table: ChangeTable) => ChangeTable;

export const NO_CHANGES: ChangeTable = { admissions: new Map(), cordons: new Map() };

export function toTable({ added, removed, cordoned = [] }: AllowlistChanges): ChangeTable {
  return {
    admissions: new Map([
      ...added.map(node => [nodeKey(node), node.role] as const),
      ...removed.map(node => [nodeKey(node), 'removed'] as const),
    ]),
    cordons: new Map(cordoned.map(node => [nodeKey(node), node.cause])),
  };
}

export function fromTable({ admissions, cordons }: ChangeTable): AllowlistChanges {
  const entries = [...admissions].map(([key, change]) => ({ ...addressOf(key), change }));
  const cordoned = [...cordons].map(([key, cause]) => ({ ...addressOf(key), cause }));
  return {
    added: entries.flatMap(({ ip, port, change }) =>
      change === 'removed' ? [] : [{ ip, port, role: change }],
    ),
    removed: entries.flatMap(({ ip, port, change }) => (change === 'removed' ? [{ ip, port }] : [])),
    ...(cordoned.length > 0 && { cordoned }),
  };
}

export function admission(node: NodeAddress, change: NodeRole | 'removed'): Change {
  return table => ({ ...table, admissions: limited(new Map(table.admissions).set(nodeKey(node), change)) });
}

export function cordoning(node: NodeAddress, cause: CordonCause): Change {
  return table => ({ ...table, cordons: limited(new Map(table.cordons).set(nodeKey(node), cause)) });
}

export function uncordoning(node: NodeAddress): Change {
  return table => ({
    ...table,
    cordons: new Map([...table.cordons].filter(([key]) => key !== nodeKey(node))),
  });
}

function limited<T>(table: Map<string, T>): Map<string, T> {
  if (table.size > MAX_CHANGES) throw tooManyChanges();
  return table;
}

export function tooManyChanges(): RequestError {
  return new RequestError(409, `The allowlist is full (${MAX_CHANGES} changes)`);
}

/** Those who hear of a change. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  readonly notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
