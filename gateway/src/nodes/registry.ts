import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import {
  type AdmittedNode,
  MAX_PORT,
  NODE_ROLES,
  type NodeAddress,
  type NodeRole,
  nodeKey,
} from '../base/node-address.js';
import type { GatewayConfig } from '../config/config.js';

/** Maximum number of nodes per list; anyone can register nodes. */
const MAX_REGISTRY_NODES = 128;

/** The registry's list for each role. */
const REGISTRY_LISTS: Record<NodeRole, string> = { full: 'nodes', archival: 'archivals' };

/** Ports of HTTP and HTTPS. All other ports below 1024 belong to other protocols. */
const WEB_PORTS = [80, 443];
const FIRST_FREE_PORT = 1024;
/**
 * Networks that are never admitted. At the first four, clouds serve the secrets of a machine: link-local
 * addresses, Alibaba, Oracle, and a public address of Azure. The last two contain no single machine: this
 * network, multicast, reserved and broadcast addresses.
 */
const NEVER = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  '0.0.0.0/8',
  '224.0.0.0/3',
].map(network => ipaddr.IPv4.parseCIDR(network));

/**
 * Whether a registered node may be admitted at all. An admitted node gets requests only after it has passed
 * its check.
 */
export type IsAdmissible = (address: NodeAddress) => boolean;

type OwnAddresses = Pick<
  GatewayConfig,
  'allowPrivateNodes' | 'otherHosts' | 'listenHost' | 'listenPort' | 'metrics'
>;

/**
 * Returns a gateway's admission rule. It is needed because anyone may register an address, to which the
 * gateway would connect.
 */
export function admissionRule(config: OwnAddresses): IsAdmissible {
  const { allowPrivateNodes, otherHosts, listenHost, listenPort, metrics } = config;
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  const outer = new Set([
    ...own.filter(({ internal }) => !internal).map(({ address }) => address),
    ...otherHosts,
    listenHost,
  ]);
  const ports = [listenPort, metrics?.port];
  return ({ ip, port }) => {
    if (port < FIRST_FREE_PORT && !WEB_PORTS.includes(port)) return false;
    const address = ipaddr.IPv4.parse(ip);
    if (NEVER.some(network => address.match(network))) return false;
    const range = address.range();
    if (range === 'loopback') return allowPrivateNodes && !ports.includes(port);
    // Any other range is private, or reserved for documentation and benchmarks.
    return !outer.has(ip) && (allowPrivateNodes || range === 'unicast');
  };
}

/** Returns the valid, admissible addresses of a registry list; other entries are ignored. */
export function parseRegistry(document: unknown, role: NodeRole, isAdmissible: IsAdmissible): AdmittedNode[] {
  const list = (document as Record<string, unknown> | null | undefined)?.[REGISTRY_LISTS[role]];
  const found = new Map<string, AdmittedNode>();
  for (const entry of Array.isArray(list) ? list : []) {
    const address = parseAddress(entry);
    if (address === undefined || !isAdmissible(address)) continue;
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

/** The registered nodes of each role whose list could be read. */
export type RegistryLists = Partial<Record<NodeRole, readonly AdmittedNode[]>>;

/** Reads both lists with `read`, which returns the JSON of a path. */
export async function readRegistry(
  read: (path: string) => Promise<unknown>,
  isAdmissible: IsAdmissible,
): Promise<RegistryLists> {
  const lists: RegistryLists = {};
  await Promise.allSettled(
    NODE_ROLES.map(async role => {
      const document = await read(`/api/v1/registry/${REGISTRY_LISTS[role]}`);
      lists[role] = parseRegistry(document, role, isAdmissible);
    }),
  );
  return lists;
}
