import ipaddr from 'ipaddr.js';
import {
  type AdmittedNode,
  MAX_PORT,
  NODE_ROLES,
  type NodeAddress,
  type NodeRole,
  nodeKey,
} from '../base/node-address.js';

/** Limit per list: anyone can register nodes. */
const MAX_REGISTRY_NODES = 128;

/** The registry's list for each role. */
const REGISTRY_LISTS: Record<NodeRole, string> = { full: 'nodes', archival: 'archivals' };

/** The valid, allowed addresses of a registry list; other entries are ignored. */
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

/** False for private, loopback, link-local (cloud metadata services), multicast and reserved addresses. */
function isPublic(ip: string): boolean {
  return ipaddr.IPv4.parse(ip).range() === 'unicast';
}

/** Reads both lists with `read`, which returns a path's JSON; throws if both fail. */
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
