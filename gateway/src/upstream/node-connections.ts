import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Client, type Dispatcher, Pool } from 'undici';
import { type NodeAddress, nodeKey } from '../base/node-address.js';
import type { TimeoutConfig } from '../config/config.js';
import type { NodeTrust } from './node-trust.js';
import { ResponseMemory } from './response-memory.js';
import { Semaphore } from './semaphore.js';

/**
 * Kinds of reads: those of clients, those that wait for a block, and the gateway's own. Each kind has
 * separate connections, so that one kind never waits for another. If `queued` requests already wait, further
 * ones are rejected at once.
 */
const READ_POOLS = {
  reads: { connections: 128, queued: 896 },
  // A node allows 256 reads that wait for a block; the other 16 are for the gateway's own reads.
  waits: { connections: 240, queued: 0 },
  own: { connections: 16, queued: 496 },
} as const;
export type ReadPool = keyof typeof READ_POOLS;

/** Maximum number of concurrent writes to one node; each uses a new connection. */
const MAX_WRITES = 256;
const MAX_HEAD_BYTES = 16_384;

/** The connections to one node for one kind of reads. */
interface SharedConnections {
  dispatcher: Dispatcher;
  /** Requests that run or are queued. */
  semaphore: Semaphore;
}

interface NodePools {
  reads: Map<ReadPool, SharedConnections>;
  writes: Semaphore;
}

/**
 * The connections to the nodes. For each node, all reads of one kind share a pool; each write gets a new
 * connection.
 */
export class NodeConnections {
  /** Memory for responses that nodes still send, or that clients have not read yet. */
  readonly memory = new ResponseMemory();
  readonly #nodes = new Map<string, NodePools>();
  /** Connections for one request that are open. */
  readonly #fresh = new Set<Client>();
  readonly #options: Client.Options;
  readonly #connectMs: number;
  readonly #trust: ReadonlyMap<string, NodeTrust>;
  /** The addresses of named nodes, by `nodeKey`. */
  readonly #addresses = new Map<string, readonly LookupAddress[]>();

  /** `trust` contains the accepted issuers of HTTPS nodes, by `nodeKey`. */
  constructor(
    { connectMs, answerMs, pieceMs }: TimeoutConfig,
    trust: ReadonlyMap<string, NodeTrust> = new Map(),
  ) {
    this.#connectMs = connectMs;
    this.#trust = trust;
    this.#options = {
      headersTimeout: answerMs,
      bodyTimeout: pieceMs,
      maxHeaderSize: MAX_HEAD_BYTES,
      pipelining: 1,
    };
  }

  shared(node: NodeAddress, pool: ReadPool): SharedConnections {
    const { reads } = this.#of(node);
    const known = reads.get(pool);
    if (known !== undefined) return known;
    const { connections, queued } = READ_POOLS[pool];
    const { origin, options } = this.#target(node);
    const dispatcher = new Pool(origin, { ...options, connections });
    const shared = { dispatcher, semaphore: new Semaphore(connections + queued) };
    reads.set(pool, shared);
    return shared;
  }

  /** Returns the semaphore that limits the writes to this node. */
  writes(node: NodeAddress): Semaphore {
    return this.#of(node).writes;
  }

  /** Opens a connection for one request. The caller ends it with `end`. */
  fresh(node: NodeAddress): Client {
    const { origin, options } = this.#target(node);
    const client = new Client(origin, options);
    this.#fresh.add(client);
    return client;
  }

  async end(client: Client): Promise<void> {
    this.#fresh.delete(client);
    await client.destroy();
  }

  /** Closes the pools of all nodes except these, after their running requests. */
  keepOnly(nodes: readonly NodeAddress[]): void {
    const kept = new Set(nodes.map(nodeKey));
    for (const [key, { reads }] of this.#nodes) {
      if (kept.has(key)) continue;
      this.#nodes.delete(key);
      closeAfterUse(reads);
    }
  }

  /**
   * Connects to a named node at these addresses from now on. Its pools are replaced, because their connections
   * lead to the old addresses; running requests continue.
   */
  useAddresses(node: NodeAddress, addresses: readonly LookupAddress[]): void {
    this.#addresses.set(nodeKey(node), addresses);
    const pools = this.#nodes.get(nodeKey(node));
    if (pools === undefined) return;
    closeAfterUse(pools.reads);
    pools.reads = new Map();
  }

  async close(): Promise<void> {
    const pools = [...this.#nodes.values()].flatMap(({ reads }) => [...reads.values()]);
    this.#nodes.clear();
    const fresh = [...this.#fresh].map(client => client.destroy());
    await Promise.all([...pools.map(({ dispatcher }) => dispatcher.destroy()), ...fresh]);
  }

  #target(node: NodeAddress): { origin: string; options: Client.Options } {
    const key = nodeKey(node);
    const trust = this.#trust.get(key);
    const addresses = this.#addresses.get(key);
    const connect = { timeout: this.#connectMs, ...trust, ...(addresses && { lookup: lookupOf(addresses) }) };
    return {
      origin: `${trust === undefined ? 'http' : 'https'}://${key}`,
      options: { ...this.#options, connect },
    };
  }

  #of(node: NodeAddress): NodePools {
    const key = nodeKey(node);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const pools: NodePools = { reads: new Map(), writes: new Semaphore(MAX_WRITES) };
    this.#nodes.set(key, pools);
    return pools;
  }
}

function closeAfterUse(pools: NodePools['reads']): void {
  for (const { dispatcher } of pools.values()) dispatcher.close().catch(() => dispatcher.destroy());
}

/** Returns a function that answers with these addresses, at least one, whatever name it is asked for. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  const [{ address, family }] = addresses as [LookupAddress];
  return (_name, { all }, done) => {
    if (all) done(null, [...addresses]);
    else done(null, address, family);
  };
}
