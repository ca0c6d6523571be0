import {
  type AdmittedNode,
  NODE_ROLES,
  type NodeAddress,
  type NodeRole,
  nodeKey,
} from '../base/node-address.js';

interface RoleTraffic {
  requests: number;
  failures: number;
}

interface NodeTraffic extends NodeAddress, RoleTraffic {
  /** Requests that have not ended yet. */
  running: number;
}

/** Reads that were asked of a second node as the first was slow. */
export const READ_COUNTS = ['hedged'] as const;
export type ReadCount = (typeof READ_COUNTS)[number];

/** Counts since a process started. */
export interface TrafficCounts {
  requests: number;
  /** Answers by the first digit of their status: `1` to `5`. */
  answers: Record<string, number>;
  /** Of answers' bodies. */
  bytesOut: number;
  nodes: readonly NodeTraffic[];
  reads: Readonly<Record<ReadCount, number>>;
  /** Includes nodes that are no longer admitted. */
  roles: Readonly<Record<NodeRole, Readonly<RoleTraffic>>>;
}

type CountedNode = NodeAddress & Pick<AdmittedNode, 'role'>;

/** Counts the gateway's responses and its requests to nodes. */
export class Traffic {
  #requests = 0;
  #bytesOut = 0;
  readonly #answers = [0, 0, 0, 0, 0, 0];
  readonly #roles = { full: { requests: 0, failures: 0 }, archival: { requests: 0, failures: 0 } };
  readonly #reads = { hedged: 0 };
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

  /** The end of a request that was counted. */
  countEnd(node: CountedNode): void {
    const counts = this.#of(node);
    counts.running = Math.max(0, counts.running - 1);
  }

  countRead(how: ReadCount): void {
    this.#reads[how] += 1;
  }

  countFailure(node: CountedNode): void {
    this.#roles[node.role].failures += 1;
    this.#of(node).failures += 1;
  }

  counts(): TrafficCounts {
    const answers = Object.fromEntries(this.#answers.map((count, digit) => [digit, count]).slice(1));
    const nodes = [...this.#nodes.values()].map(node => ({ ...node }));
    return {
      requests: this.#requests,
      answers,
      bytesOut: this.#bytesOut,
      nodes,
      reads: { ...this.#reads },
      roles: structuredClone(this.#roles),
    };
  }

  add({ requests, answers, bytesOut, nodes, reads, roles }: TrafficCounts): void {
    this.#requests += requests;
    this.#bytesOut += bytesOut;
    for (const digit in answers) this.#answers[Number(digit)]! += answers[digit]!;
    for (const role of NODE_ROLES) addTo(this.#roles[role], roles[role]);
    for (const how of READ_COUNTS) this.#reads[how] += reads[how];
    for (const node of nodes) {
      addTo(this.#of(node), node);
      this.#of(node).running += node.running;
    }
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

function addTo(sum: RoleTraffic, { requests, failures }: Readonly<RoleTraffic>): void {
  sum.requests += requests;
  sum.failures += failures;
}

/** The sum over several processes. */
export function sumTraffic(all: readonly TrafficCounts[]): TrafficCounts {
  const sum = new Traffic();
  for (const counts of all) sum.add(counts);
  return sum.counts();
}
