import dns from 'node:dns/promises';
import { nodeKey } from '../base/node-address.js';
import { within } from '../base/within.js';
import type { Cancellation } from '../upstream/cancellation.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import type { KnownNode } from './known-node.js';

/** Time limit of a resolution. With that of a check, it is near the time in which a dead node is noticed. */
const MAX_RESOLVE_MS = 1000;

/**
 * Resolves the name of a node as other programs of the machine do, so that `/etc/hosts` and search domains count.
 * If its addresses changed, connects to the new ones and calls `onMove` with a log line. While the name cannot be
 * resolved, the node keeps its last addresses; returns a fault if it has none.
 */
export async function resolveNode(
  node: KnownNode,
  connections: NodeConnections,
  cancellation: Cancellation,
  onMove: (line: string) => void,
): Promise<string | undefined> {
  const { host, addresses } = node;
  if (host === undefined) return undefined;
  const cancelled = new Promise<undefined>(resolve => cancellation.ends(() => resolve(undefined)));
  const lookup = dns.lookup(host, { all: true }).catch(() => undefined);
  const found =
    (await within(MAX_RESOLVE_MS, Promise.race([lookup, cancelled]), () => undefined)) ?? addresses;
  // A resolver may give the addresses in another order each time.
  const sorted = found.toSorted(
    (one, other) => one.family - other.family || (one.address < other.address ? -1 : 1),
  );
  const [first] = sorted;
  if (first === undefined) return 'has a name without an address';
  const [previous, now] = [addresses, sorted].map(all => all.map(({ address }) => address).join(' '));
  if (now !== previous) {
    node.addresses = sorted;
    node.ip = first.address;
    connections.useAddresses(node, sorted);
    if (previous !== '') onMove(`node ${nodeKey(node)} moved from ${previous} to ${now}`);
  }
  return undefined;
}
