import type { AnsweredBy, KnownNode } from '../nodes/node-directory.js';
import type { NodeAnswer } from '../upstream/node-request.js';

/** An immutable answer, and the conditions under which it still belongs to the routed chain. */
export interface KeptAnswer {
  answer: NodeAnswer & { body: Buffer };
  /** The node that answered, and the rule by which it was asked. */
  node: KnownNode;
  by: AnsweredBy;
  /** The node's chain, lower-case hex. */
  genesisHash: string;
  /** Identifies the connections over which the answer arrived; see NodeConnections.continuity. */
  continuity: object;
}

/** How a cacheable read was answered: from memory, by another client's pending read, or by a node. */
export type CacheResult = 'hit' | 'shared' | 'miss';

/** Memory that an answer uses in addition to its body and path. */
const OVERHEAD_BYTES = 1024;

/** Caches answers by path up to a number of bytes; evicts the least recently used first. */
export class ImmutableCache {
  readonly reads: Record<CacheResult, number>;
  readonly #maxBytes: number;
  readonly #onRead: (result: CacheResult) => void;
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  /**
   * `onRead` is called for every counted read. `reads` are the counts of the cache that this cache replaces.
   */
  constructor(
    maxBytes: number,
    onRead: (result: CacheResult) => void = () => undefined,
    reads: Record<CacheResult, number> = { hit: 0, shared: 0, miss: 0 },
  ) {
    this.#maxBytes = maxBytes;
    this.#onRead = onRead;
    this.reads = reads;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(path: string): KeptAnswer | undefined {
    const kept = this.#answers.get(path);
    if (kept === undefined) return undefined;
    this.#answers.delete(path);
    this.#answers.set(path, kept);
    return kept;
  }

  set(path: string, kept: KeptAnswer): void {
    this.#drop(path);
    this.#answers.set(path, kept);
    this.#bytes += sizeOf(path, kept);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  count(result: CacheResult): void {
    this.reads[result] += 1;
    this.#onRead(result);
  }

  #drop(path: string): void {
    const kept = this.#answers.get(path);
    if (kept === undefined) return;
    this.#answers.delete(path);
    this.#bytes -= sizeOf(path, kept);
  }
}

function sizeOf(path: string, { answer }: KeptAnswer): number {
  return path.length + answer.body.length + OVERHEAD_BYTES;
}
