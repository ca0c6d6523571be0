import type { AllowlistChanges } from '../allowlist/allowlist-store.js';
import type { StaticNode } from '../config/config.js';
import { type AdmittedNode, nodeKey } from './node-address.js';

/** Every node that is admitted, once: configured ones, then an administrator's, then the registry's; what an administrator removed is none of them. */
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
