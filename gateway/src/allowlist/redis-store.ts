import type { Redis } from 'ioredis';
import { ConfigError, RequestError } from '../base/errors.js';
import { type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import { keyPrefix, openRedis, type SharedRedis } from '../base/redis.js';
import { Faults, type Reader } from '../config/reader.js';
import { ipv4, oneOf, port } from '../config/values.js';
import {
  type AllowlistChanges,
  type AllowlistStore,
  CORDON_CAUSES,
  type CordonCause,
} from './allowlist-store.js';
import { type AddedNode, fromTable, MAX_CHANGES, tooManyChanges } from './changes.js';
import { Listeners } from './listeners.js';

const readAdmission = oneOf<NodeRole | 'removed'>('full', 'archival', 'removed');
const readCause = oneOf(...CORDON_CAUSES);

/** Stores the changes in two Redis hashes; a channel announces them to every replica. */
export class RedisStore implements AllowlistStore {
  readonly #listeners = new Listeners();
  readonly #key: string;
  /** Beside the first hash, which an older gateway reads. */
  readonly #cordonsKey: string;

  private constructor(
    private readonly redis: SharedRedis,
    private readonly subscriber: Redis,
    gatewayHost: string,
  ) {
    this.#key = `${keyPrefix(gatewayHost)}allowlist`;
    this.#cordonsKey = `${keyPrefix(gatewayHost)}cordons`;
  }

  /** Throws ConfigError REDIS_UNREACHABLE if Redis does not answer. */
  static async open(url: string, gatewayHost: string, onError: (error: Error) => void): Promise<RedisStore> {
    const redis = await openRedis(url, onError, { wait: true });
    const subscriber = redis.client.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
    const store = new RedisStore(redis, subscriber, gatewayHost);
    await store.#listen().catch(async error => {
      await store.close();
      throw error;
    });
    return store;
  }

  async read(): Promise<AllowlistChanges> {
    const [admissions, cordons] = await this.#run(() =>
      Promise.all([this.#readTable(this.#key), this.#readTable(this.#cordonsKey)]),
    );
    return fromTable({
      admissions: this.#checked(admissions, readAdmission),
      cordons: this.#checked(cordons, readCause),
    });
  }

  add(node: AddedNode): Promise<void> {
    return this.#set(this.#key, node, node.role);
  }

  remove(node: NodeAddress): Promise<void> {
    return this.#set(this.#key, node, 'removed');
  }

  cordon(node: NodeAddress, cause: CordonCause): Promise<void> {
    return this.#set(this.#cordonsKey, node, cause);
  }

  async uncordon(node: NodeAddress): Promise<void> {
    await this.#run(async () => {
      const { client } = this.redis;
      await client.hdel(this.#cordonsKey, nodeKey(node));
      await client.publish(this.#key, '');
    });
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.subscriber.disconnect();
    this.redis.close();
  }

  async #listen(): Promise<void> {
    const { notify } = this.#listeners;
    // The connection for commands reports an outage.
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', notify);
    await this.#run(() => this.subscriber.subscribe(this.#key));
    // Changes made while disconnected were missed.
    this.subscriber.on('ready', notify);
  }

  async #readTable(key: string): Promise<Record<string, string>> {
    const { client } = this.redis;
    if ((await client.hlen(key)) > MAX_CHANGES) throw this.#broken();
    return client.hgetall(key);
  }

  async #set(key: string, node: NodeAddress, change: string): Promise<void> {
    await this.#run(async () => {
      const { client } = this.redis;
      if ((await client.hlen(key)) >= MAX_CHANGES && !(await client.hexists(key, nodeKey(node)))) {
        throw tooManyChanges();
      }
      await client.hset(key, nodeKey(node), change);
      await client.publish(this.#key, '');
    });
  }

  /** Anyone with access to Redis may have written this. */
  #checked<T>(table: Record<string, string>, read: Reader<T>): Map<string, T> {
    try {
      return new Map(
        Object.entries(table).map(([key, change]) => {
          const [ip, digits, ...rest] = key.split(':');
          const node = { ip: ipv4(ip, 'ip'), port: port(Number(digits), 'port') };
          if (rest.length > 0 || nodeKey(node) !== key) throw this.#broken();
          return [key, read(change, 'change')] as const;
        }),
      );
    } catch (error) {
      throw error instanceof Faults ? this.#broken() : error;
    }
  }

  async #run<T>(command: () => Promise<T>): Promise<T> {
    try {
      const answer = await command();
      this.redis.worked();
      return answer;
    } catch (error) {
      if (error instanceof ConfigError || error instanceof RequestError) throw error;
      if (error instanceof Error && error.message.startsWith('WRONGTYPE')) throw this.#broken();
      this.redis.failed(error);
      throw new RequestError(503, 'The allowlist is unavailable');
    }
  }

  #broken(): ConfigError {
    return new ConfigError(
      'ALLOWLIST_UNUSABLE',
      `the allowlist in Redis, under ${this.#key}, has an unexpected format`,
    );
  }
}
