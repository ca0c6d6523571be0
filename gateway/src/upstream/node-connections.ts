import { Client, type Dispatcher, Pool } from 'undici';
import type { TimeoutConfig } from '../config/config.js';
import { type NodeAddress, nodeKey } from './node-address.js';

/** To one node; more requests than this wait for their turn. */
const MAX_CONNECTIONS = 128;
const MAX_HEAD_BYTES = 16_384;

/** The connections to the nodes: those for reads are kept and shared, one for a write is made for it alone. */
export class NodeConnections {
  readonly #pools = new Map<string, Pool>();
  readonly #options: Client.Options;

  constructor({ connectMs, answerMs, pieceMs }: TimeoutConfig) {
    this.#options = {
      connect: { timeout: connectMs },
      headersTimeout: answerMs,
      bodyTimeout: pieceMs,
      maxHeaderSize: MAX_HEAD_BYTES,
      pipelining: 1,
    };
  }

  shared(node: NodeAddress): Dispatcher {
    const key = nodeKey(node);
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = new Pool(`http://${key}`, { ...this.#options, connections: MAX_CONNECTIONS });
    this.#pools.set(key, pool);
    return pool;
  }

  /** A connection for one request, which whoever asked for it ends. */
  fresh(node: NodeAddress): Client {
    return new Client(`http://${nodeKey(node)}`, this.#options);
  }

  /** Lets the connections of all other nodes end with their running requests. */
  keepOnly(nodes: readonly NodeAddress[]): void {
    const kept = new Set(nodes.map(nodeKey));
    for (const [key, pool] of this.#pools) {
      if (kept.has(key)) continue;
      this.#pools.delete(key);
      pool.close().catch(() => pool.destroy());
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(pool => pool.destroy()));
  }
}
