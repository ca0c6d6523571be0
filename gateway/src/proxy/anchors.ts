import { fieldOf, integerOf, parseNodeJson } from '../base/node-json.js';
import type { NodeConnections } from '../upstream/node-connections.js';
import type { KnownNode } from '../upstream/node-directory.js';
import { collect } from './answer-body.js';
import type { ChainRouter } from './chain-router.js';
import { VIA } from './request-headers.js';

/** Blocks between two anchors. */
const STEP = 128n;
const MAX_BYTES = 1_048_576;
/** Of one node; the oldest go first. */
const MOST_KNOWN = 4096;
const HASH = /^[0-9a-f]{64}$/;
const HEADERS = ['via', VIA, 'accept', 'application/json'];

interface Parts {
  router: ChainRouter;
  connections: NodeConnections;
}

/** The first anchor that is not below a block: its hash stands for that block too. */
export function anchorOf(height: bigint): bigint {
  return ((height + STEP - 1n) / STEP) * STEP;
}

/** The hashes of every 128th block, which tell a node's history up to there. */
export class Anchors {
  readonly #parts: Parts;
  /** By connections to a node, as another process on its port may have another history. */
  readonly #known = new WeakMap<object, Map<bigint, Promise<string | undefined>>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Lower hex; undefined if the node has no such block below its height, or does not say. */
  async hashOf(node: KnownNode, height: bigint): Promise<string | undefined> {
    const { connections } = this.#parts;
    // One that was not asked yet has no continuity.
    connections.shared(node, 'own');
    const continuity = connections.continuity(node);
    const { height: newest } = node.health;
    if (continuity === undefined || newest === undefined || newest <= height) return undefined;
    const known = this.#known.get(continuity) ?? new Map<bigint, Promise<string | undefined>>();
    this.#known.set(continuity, known);
    const asked = known.get(height) ?? this.#ask(node, height);
    known.set(height, asked);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN) known.delete(oldest!);
    const hash = await asked;
    if (hash === undefined) known.delete(height);
    return connections.continuity(node) === continuity ? hash : undefined;
  }

  async #ask(node: KnownNode, height: bigint): Promise<string | undefined> {
    const request = { method: 'GET', path: `/api/v1/blocks/${height}`, headers: HEADERS } as const;
    try {
      const { answer } = await this.#parts.router.readFrom(node, request, { lane: 'own' });
      const body = await collect(answer, MAX_BYTES);
      return answer.status === 200 && body !== undefined ? hashIn(body, height) : undefined;
    } catch {
      return undefined;
    }
  }
}

function hashIn(body: Buffer, height: bigint): string | undefined {
  const record = parseNodeJson(body);
  const hash = String(fieldOf(record, 'block_hash')).toLowerCase();
  return integerOf(record, 'height') === height && HASH.test(hash) ? hash : undefined;
}
