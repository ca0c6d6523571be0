import { type AdmittedNode, addressOf, type NodeAddress, nodeKey } from '../base/node-address.js';

interface NodeTraffic extends NodeAddress {
  requests: number;
  failures: number;
  /** Number of unfinished requests. */
  running: number;
}

type CountedNode = NodeAddress & Pick<AdmittedNode, 'source'>;

/** Results of a request that count as failures of the node. */
const FAILURES = ['unreachable', 'unreachable-in-time', 'timeout', 'broken'];

/**
 * The label of a node in the metrics. Registered nodes share one, so that strangers cannot add time series.
 */
export function labelOf(node: CountedNode): string {
  return node.source === 'registry' ? node.source : nodeKey(node);
}

/** Counts the gateway's responses and its requests to nodes. */
export class Traffic {
  #requests = 0;
  #bytesOut = 0;
  readonly #answers = [0, 0, 0, 0, 0, 0];
  /** Counts by label and result. */
  readonly #results = new Map<string, Map<string, number>>();
  readonly #nodes = new Map<string, NodeTraffic>();

  countAnswer(status: number, bytes: number): void {
    this.#requests += 1;
    this.#bytesOut += bytes;
    const digit = Math.floor(status / 100);
    if (digit in this.#answers) this.#answers[digit]! += 1;
  }

  countRequest(node: CountedNode): void {
    const counts = this.#of(node);
    counts.requests += 1;
    counts.running += 1;
  }

  /** Counts the end of a request that `countRequest` counted. */
  countEnd(node: CountedNode): void {
    const counts = this.#of(node);
    counts.running = Math.max(0, counts.running - 1);
  }

  /** Counts what came of a request; the result is one of few words. */
  countResult(node: CountedNode, result: string): void {
    if (FAILURES.includes(result)) this.#of(node).failures += 1;
    const label = labelOf(node);
    const results = this.#results.get(label) ?? new Map<string, number>();
    this.#results.set(label, results.set(result, (results.get(result) ?? 0) + 1));
  }

  /** Counts since the gateway started. */
  counts() {
    return {
      requests: this.#requests,
      /** Answers by the first digit of their status, `1` to `5`. */
      answers: Object.fromEntries(this.#answers.map((count, digit) => [digit, count]).slice(1)),
      bytesOut: this.#bytesOut,
      nodes: [...this.#nodes.values()].map(node => ({ ...node })),
      /** The requests to nodes, by label and result. */
      results: [...this.#results].flatMap(([node, results]) =>
        [...results].map(([result, count]) => ({ node, result, count })),
      ),
    };
  }

  /** Drops nodes that are no longer admitted. */
  keepOnly(nodes: readonly NodeAddress[]): void {
    const kept = new Set(nodes.map(nodeKey));
    for (const key of this.#nodes.keys()) {
      if (!kept.has(key)) this.#nodes.delete(key);
    }
    for (const label of this.#results.keys()) {
      if (label !== 'registry' && !kept.has(label)) this.#results.delete(label);
    }
  }

  #of(node: NodeAddress): NodeTraffic {
    const key = nodeKey(node);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const fresh = { ...addressOf(node), requests: 0, failures: 0, running: 0 };
    this.#nodes.set(key, fresh);
    return fresh;
  }
}
