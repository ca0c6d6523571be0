export const MAX_PORT = 65_535;

/**
 * The address of a node's API. `ip` is an IPv4 or IPv6 address in canonical form; `port` is from 1 to 65535.
 */
export interface NodeAddress {
  ip: string;
  port: number;
  /**
   * The name by which the configuration lists the node, in lower case. `ip` is then the first address of its
   * last resolution, or `UNRESOLVED` before that.
   */
  host?: string;
}

/** The address of a name that was not resolved yet. */
export const UNRESOLVED = '0.0.0.0';

/**
 * A full node accepts transactions; an archival node answers reads at any height
 * (docs/gateway/routing.md#chain-routes).
 */
export const NODE_ROLES = ['full', 'archival'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** How a node was admitted; `static` and `admin` nodes are asked before those of the chain's registry. */
export type NodeSource = 'static' | 'admin' | 'registry';

export interface AdmittedNode extends NodeAddress {
  role: NodeRole;
  source: NodeSource;
}

/** Returns `HOST:PORT` as in a URL, for a name or an address. */
export function formatHostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** `HOST:PORT` as in a URL, the key of a node in tables. The key of a named node has its name. */
export function nodeKey({ host, ip, port }: NodeAddress): string {
  return formatHostPort(host ?? ip, port);
}

/** Returns only the address of a node. */
export function addressOf({ host, ip, port }: NodeAddress): NodeAddress {
  return { ip, port, ...(host !== undefined && { host }) };
}
