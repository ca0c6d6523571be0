export const MAX_PORT = 65_535;

/**
 * The address of a node's API. `ip` is an IPv4 address in canonical dotted form; `port` is from 1 to 65535.
 */
export interface NodeAddress {
  ip: string;
  port: number;
}

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

/** `ip:port`, the key of a node in tables. */
export function nodeKey({ ip, port }: NodeAddress): string {
  return `${ip}:${port}`;
}
