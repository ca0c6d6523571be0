import { type AdmittedNode, type NodeAddress, nodeKey } from '../base/node-address.js';

interface NodeTraffic extends NodeAddress {
  requests: number;
  failures: number;
  /** Number of unfinished requests. */
  running: number;
}

type CountedNode = NodeAddress & Pick<AdmittedNode, 'role'>;

/** Counts the gateway's responses and its requests to nodes. */
export class Traffic {
  #requests = 0;
  #bytesOut = 0;
  #hedged = 0;
  readonly #answers = [0, 0, 0, 0, 0, 0];
  readonly #roles = { full: { requests: 0, failures: 0 }, archival: { requests: 0, failures: 0 } };
  readonly #nodes = new Map<string, NodeTraffic>();

  countAnswer(status: number, bytes: number): void {
    this.#requests += 1;
    this.#bytesOut += bytes;
    const digit = Math.floor(status / 100);
    if (digit in this.#answers) this.#answers[digit]! += 1;
  }

  countRequest(node: CountedNode): void {
    this.#roles[node.role].requests += 1;
    const counts = this.#of(node);
    counts.requests += 1;
    counts.running += 1;
  }

  /** Counts the end of a request that `countRequest` counted. */
  countEnd(node: CountedNode): void {
    const counts = this.#of(node);
    counts.running = Math.max(0, counts.running - 1);
  }

  countHedge(): void {
    this.#hedged += 1;
  }

  countFailure(node: CountedNode): void {
    this.#roles[node.role].failures += 1;
    this.#of(node).failures += 1;
  }

  /** Counts since the gateway started. */
  counts() {
    return {
      requests: this.#requests,
      /** Answers by the first digit of their status, `1` to `5`. */
      answers: Object.fromEntries(this.#answers.map((count, digit) => [digit, count]).slice(1)),
      bytesOut: this.#bytesOut,
      nodes: [...this.#nodes.values()].map(node => ({ ...node })),
      /** Reads that were also sent to a second node because the first was slow. */
      hedged: this.#hedged,
      /** Includes nodes that are no longer admitted. */
      roles: structuredClone(this.#roles),
    };
  }

  /** Drops nodes that are no longer admitted. */
  keepOnly(nodes: readonly NodeAddress[]): void {
    const kept = new Set(nodes.map(nodeKey));
    for (const key of this.#nodes.keys()) {
      if (!kept.has(key)) this.#nodes.delete(key);
    }
  }

  #of({ ip, port }: NodeAddress): NodeTraffic {
    const key = nodeKey({ ip, port });
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const fresh = { ip, port, requests: 0, failures: 0, running: 0 };
    this.#nodes.set(key, fresh);
    return fresh;
  }
}
