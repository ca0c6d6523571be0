import { RequestError } from '../base/errors.js';
import { type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import type { AllowlistChanges } from './allowlist-store.js';

/** Far more than an operator makes. */
export const MAX_CHANGES = 4096;

export type AddedNode = NodeAddress & { role: NodeRole };

/** The last change of each node by its `ip:port`: its role if added, else `removed`. */
export type ChangeTable = ReadonlyMap<string, NodeRole | 'removed'>;

export function toTable({ added, removed }: AllowlistChanges): ChangeTable {
  return new Map([
    ...added.map(node => [nodeKey(node), node.role] as const),
    ...removed.map(node => [nodeKey(node), 'removed'] as const),
  ]);
}

export function fromTable(table: ChangeTable): AllowlistChanges {
  const entries = [...table].map(([key, change]) => ({ ...addressOf(key), change }));
  return {
    added: entries.flatMap(({ ip, port, change }) =>
      change === 'removed' ? [] : [{ ip, port, role: change }],
    ),
    removed: entries.flatMap(({ ip, port, change }) => (change === 'removed' ? [{ ip, port }] : [])),
  };
}

/** Throws RequestError 409 if the table would exceed MAX_CHANGES. */
export function withChange(table: ChangeTable, node: NodeAddress, change: NodeRole | 'removed'): ChangeTable {
  const changed = new Map(table).set(nodeKey(node), change);
  if (changed.size > MAX_CHANGES) throw tooManyChanges();
  return changed;
}

function addressOf(key: string): NodeAddress {
  const [ip, port] = key.split(':') as [string, string];
  return { ip, port: Number(port) };
}

export function tooManyChanges(): RequestError {
  return new RequestError(409, `The allowlist is full (${MAX_CHANGES} changes)`);
}
