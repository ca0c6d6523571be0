import type { AllowlistChanges } from '../allowlist/allowlist-store.js';
import { type AdmittedNode, nodeKey } from '../base/node-address.js';
import type { StaticNode } from '../config/schema.js';

/**
 * Lists every admitted node once: first the nodes of the configuration, then those that an administrator
 * added, then those of the registry. Omits nodes that an administrator removed.
 */
export function mergeNodes(
  staticNodes: readonly StaticNode[],
  changes: AllowlistChanges,
  registry: readonly AdmittedNode[],
): AdmittedNode[] {
  const removed = new Set(changes.removed.map(nodeKey));
  const admitted = new Map<string, AdmittedNode>();
  const candidates: AdmittedNode[] = [
    ...staticNodes.map(({ ip, port, role }) => ({ ip, port, role, source: 'static' as const })),
    ...changes.added.map(({ ip, port, role }) => ({ ip, port, role, source: 'admin' as const })),
    ...registry,
  ];
  for (const node of candidates) {
    const key = nodeKey(node);
    if (!removed.has(key) && !admitted.has(key)) admitted.set(key, node);
  }
  return [...admitted.values()];
}
