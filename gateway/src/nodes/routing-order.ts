import { type CheckedNode, RANKS } from './checked-node.js';

/** The routed nodes of one role by rank; round-robin within a rank. */
export class RoutingOrder {
  #ranks: CheckedNode[][] = [];
  #turn = 0;

  set(nodes: readonly CheckedNode[]): void {
    const ranks = Array.from({ length: RANKS }, (): CheckedNode[] => []);
    for (const node of nodes) ranks[node.rank]!.push(node);
    this.#ranks = ranks.filter(rank => rank.length > 0);
  }

  next(): readonly CheckedNode[] {
    if (this.#ranks.length === 1 && this.#ranks[0]!.length === 1) return this.#ranks[0]!;
    this.#turn = (this.#turn + 1) % Number.MAX_SAFE_INTEGER;
    return this.#ranks.flatMap(rank => {
      const first = this.#turn % rank.length;
      return [...rank.slice(first), ...rank.slice(0, first)];
    });
  }
}
