import { RequestError } from '../errors.js';
import { type NodeAddress, type NodeRole, nodeKey } from '../upstream/node-address.js';
import type { AllowlistChanges } from './allowlist-store.js';

/** More changes than any operator makes. */
export const MAX_CHANGES = 4096;

export type AddedNode = NodeAddress & { role: NodeRole };

/** The last change of each node by its `ip:port`: the role that it was added in, or that it was removed. */
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

/** Throws RequestError 409 when the table would grow past MAX_CHANGES. */
export function withChange(table: ChangeTable, node: NodeAddress, change: NodeRole | 'removed'): ChangeTable {
  const changed = new Map(table).set(nodeKey(node), change);
  if (changed.size > MAX_CHANGES) {
    throw tooManyChanges();
  }
  return changed;
}

function addressOf(key: string): NodeAddress {
  const [ip, port] = key.split(':') as [string, string];
  return { ip, port: Number(port) };
}

export function tooManyChanges(): RequestError {
  return new RequestError(409, `The allowlist keeps ${MAX_CHANGES} changes and has them`);
}
