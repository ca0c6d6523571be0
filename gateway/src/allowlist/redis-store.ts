import type { Redis } from 'ioredis';
import { ConfigError, RequestError } from '../base/errors.js';
import { type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import { keyPrefix, openRedis, type SharedRedis } from '../base/redis.js';
import { Faults } from '../config/reader.js';
import { ipv4, oneOf, port } from '../config/values.js';
import type { AllowlistChanges, AllowlistStore } from './allowlist-store.js';
import { type AddedNode, type ChangeTable, fromTable, MAX_CHANGES, tooManyChanges } from './changes.js';

const readChange = oneOf<NodeRole | 'removed'>('full', 'archival', 'removed');

/** Stores the changes in a Redis hash; a channel announces them to every replica. */
export class RedisStore implements AllowlistStore {
  readonly #listeners: (() => void)[] = [];
  readonly #key: string;

  private constructor(
    private readonly redis: SharedRedis,
    private readonly subscriber: Redis,
    gatewayHost: string,
  ) {
    this.#key = `${keyPrefix(gatewayHost)}allowlist`;
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
    const { client } = this.redis;
    const table = await this.#run(async () => {
      if ((await client.hlen(this.#key)) > MAX_CHANGES) throw this.#broken();
      return client.hgetall(this.#key);
    });
    return fromTable(this.#checked(table));
  }

  add(node: AddedNode): Promise<void> {
    return this.#change(node, node.role);
  }

  remove(node: NodeAddress): Promise<void> {
    return this.#change(node, 'removed');
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.subscriber.disconnect();
    this.redis.close();
  }

  async #listen(): Promise<void> {
    const notify = () => {
      for (const listener of this.#listeners) listener();
    };
    // The connection for commands reports an outage.
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', notify);
    await this.#run(() => this.subscriber.subscribe(this.#key));
    // Changes made while disconnected were missed.
    this.subscriber.on('ready', notify);
  }

  async #change(node: NodeAddress, change: NodeRole | 'removed'): Promise<void> {
    await this.#run(async () => {
      const { client } = this.redis;
      if (
        (await client.hlen(this.#key)) >= MAX_CHANGES &&
        !(await client.hexists(this.#key, nodeKey(node)))
      ) {
        throw tooManyChanges();
      }
      await client.hset(this.#key, nodeKey(node), change);
      await client.publish(this.#key, '');
    });
  }

  /** Anyone with access to Redis may have written this. */
  #checked(table: Record<string, string>): ChangeTable {
    try {
      return new Map(
        Object.entries(table).map(([key, change]) => {
          const [ip, digits, ...rest] = key.split(':');
          const node = { ip: ipv4(ip, 'ip'), port: port(Number(digits), 'port') };
          if (rest.length > 0 || nodeKey(node) !== key) throw this.#broken();
          return [key, readChange(change, 'role')] as const;
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
