import type { AnsweredBy, KnownNode } from '../nodes/node-directory.js';
import type { NodeAnswer } from '../upstream/node-request.js';

/** An answer that never changes, and what must still hold for it to be one of the chain that is routed to. */
export interface KeptAnswer {
  answer: NodeAnswer & { body: Buffer };
  /** The node that gave it, and by which rule it was asked. */
  node: KnownNode;
  by: AnsweredBy;
  /** The node's chain, lower hex. */
  genesisHash: string;
  /** The connections to the node that it came over: see NodeConnections.continuity. */
  continuity: object;
}

/**
 * How reads that may be kept were answered: from memory, by a question of another client that was under way,
 * or by a node.
 */
export type CacheResult = 'hit' | 'shared' | 'miss';

/** What an answer takes beside its body and its path. */
const OVERHEAD_BYTES = 1024;

/** Answers by path, up to a number of bytes; the least recently used go first. */
export class ImmutableCache {
  readonly reads: Record<CacheResult, number>;
  readonly #maxBytes: number;
  readonly #onRead: (result: CacheResult) => void;
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  /** `onRead` is called for every read that is counted; `reads`: those of a cache before it, which go on. */
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
