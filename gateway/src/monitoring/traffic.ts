import { type AdmittedNode, type NodeAddress, nodeKey } from '../base/node-address.js';

type CountedNode = NodeAddress & Pick<AdmittedNode, 'source'>;

/** Results of a request that count as failures of the node. */
const FAILURES = ['unreachable', 'unreachable-in-time', 'timeout', 'broken'];
const REGISTERED = 'registry';

/**
 * The label of a node in the metrics. Registered nodes share one, so that strangers cannot add time series.
 */
export function labelOf(node: CountedNode): string {
  return node.source === 'registry' ? REGISTERED : nodeKey(node);
}

/** Counts what came of the requests to nodes since the gateway started. */
export class Traffic {
  /** Counts by label and result. */
  readonly #results = new Map<string, Map<string, number>>();

  /** Counts what came of a request; the result is one of few words. */
  countResult(node: CountedNode, result: string): void {
    const label = labelOf(node);
    const results = this.#results.get(label) ?? new Map<string, number>();
    this.#results.set(label, results.set(result, (results.get(result) ?? 0) + 1));
  }

  /** The requests to nodes, by label and result. */
  results() {
    return [...this.#results].flatMap(([node, results]) =>
      [...results].map(([result, count]) => ({ node, result, count })),
    );
  }

  /** The requests to a node and those that failed; for a registered node, those to all registered nodes. */
  countsOf(node: CountedNode): { requests: number; failures: number } {
    const counts = { requests: 0, failures: 0 };
    for (const [result, count] of this.#results.get(labelOf(node)) ?? []) {
      counts.requests += count;
      if (FAILURES.includes(result)) counts.failures += count;
    }
    return counts;
  }

  /** Drops nodes that are no longer admitted. */
  keepOnly(nodes: readonly NodeAddress[]): void {
    const kept = new Set([REGISTERED, ...nodes.map(nodeKey)]);
    for (const label of this.#results.keys()) if (!kept.has(label)) this.#results.delete(label);
  }
}
