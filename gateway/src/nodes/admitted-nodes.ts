import type { AllowlistChanges } from '../allowlist/allowlist.js';
import { type AdmittedNode, addressOf, nodeKey } from '../base/node-address.js';
import type { StaticNode } from '../config/config.js';

/**
 * Lists every admitted node once: first the nodes of the configuration, then those that an administrator
 * added, then those of the registry. Omits nodes that an administrator removed. A registered node is also omitted
 * if its address is that of a named node, or was when an administrator removed that node.
 */
export function mergeNodes(
  staticNodes: readonly StaticNode[],
  changes: AllowlistChanges,
  registry: readonly AdmittedNode[],
): AdmittedNode[] {
  const removed = new Set(changes.removed.map(nodeKey));
  const admitted = new Map<string, AdmittedNode>();
  const own: AdmittedNode[] = [
    ...staticNodes.map(node => ({ ...addressOf(node), role: node.role, source: 'static' as const })),
    ...changes.added.map(node => ({ ...addressOf(node), role: node.role, source: 'admin' as const })),
  ];
  const named = [...own, ...changes.removed].filter(({ host }) => host !== undefined);
  const addresses = new Set(named.map(({ ip, port }) => nodeKey({ ip, port })));
  for (const node of [...own, ...registry.filter(each => !addresses.has(nodeKey(each)))]) {
    const key = nodeKey(node);
    if (!removed.has(key) && !admitted.has(key)) admitted.set(key, node);
  }
  return [...admitted.values()];
}
