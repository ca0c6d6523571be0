import ipaddr from 'ipaddr.js';
import {
  type AdmittedNode,
  MAX_PORT,
  NODE_ROLES,
  type NodeAddress,
  type NodeRole,
  nodeKey,
} from './node-address.js';

/** Of each of the two lists; the registry is written by strangers. */
export const MAX_REGISTRY_NODES = 128;

/** The list of the registry in which the nodes of a role are. */
export const REGISTRY_LISTS: Record<NodeRole, string> = { full: 'nodes', archival: 'archivals' };

/** The addresses that a registry's answer names and that may be asked; whatever else it has is left out. */
export function parseRegistry(document: unknown, role: NodeRole, allowPrivateNodes: boolean): AdmittedNode[] {
  const list = (document as Record<string, unknown> | null | undefined)?.[REGISTRY_LISTS[role]];
  const found = new Map<string, AdmittedNode>();
  for (const entry of Array.isArray(list) ? list : []) {
    const address = parseAddress(entry);
    if (address === undefined || !(allowPrivateNodes || isPublic(address.ip))) continue;
    found.set(nodeKey(address), { ...address, role, source: 'registry' });
    if (found.size === MAX_REGISTRY_NODES) break;
  }
  return [...found.values()];
}

function parseAddress(entry: unknown): NodeAddress | undefined {
  const { ip, port } = (entry ?? {}) as Record<string, unknown>;
  if (typeof ip !== 'string' || !ipaddr.IPv4.isValidFourPartDecimal(ip)) return undefined;
  if (ipaddr.IPv4.parse(ip).toString() !== ip) return undefined;
  const number = typeof port === 'bigint' ? Number(port) : 0;
  return number >= 1 && number <= MAX_PORT ? { ip, port: number } : undefined;
}

/** Private, loopback, link-local (where clouds keep their secrets), multicast and reserved addresses are not. */
function isPublic(ip: string): boolean {
  return ipaddr.IPv4.parse(ip).range() === 'unicast';
}

/** Reads both lists with `read`, which answers a path's JSON; throws when it can read neither. */
export async function readRegistry(
  read: (path: string) => Promise<unknown>,
  allowPrivateNodes: boolean,
): Promise<AdmittedNode[]> {
  const lists = await Promise.allSettled(
    NODE_ROLES.map(async role =>
      parseRegistry(await read(`/api/v1/registry/${REGISTRY_LISTS[role]}`), role, allowPrivateNodes),
    ),
  );
  const [first] = lists;
  if (lists.every(list => list.status === 'rejected')) throw (first as PromiseRejectedResult).reason;
  return lists.flatMap(list => (list.status === 'fulfilled' ? list.value : []));
}
