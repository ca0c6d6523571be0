import type { Redis } from 'ioredis';
import { Faults } from '../config/reader.js';
import { ipv4, oneOf, port } from '../config/values.js';
import { ConfigError, RequestError } from '../errors.js';
import { keyPrefix, openRedis, type SharedRedis } from '../redis.js';
import { type NodeAddress, type NodeRole, nodeKey } from '../upstream/node-address.js';
import type { AllowlistChanges, AllowlistStore } from './allowlist-store.js';
import { type AddedNode, type ChangeTable, fromTable, MAX_CHANGES, tooManyChanges } from './changes.js';

/** An operator waits longer than a request that is only counted. */
const COMMAND_TIMEOUT_MS = 2000;
const readChange = oneOf<NodeRole | 'removed'>('full', 'archival', 'removed');

/** Keeps the changes in a hash of Redis; every replica hears of a change on a channel. */
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

  /** Throws ConfigError REDIS_UNREACHABLE when Redis does not answer now. */
  static async open(url: string, gatewayHost: string, onError: (error: Error) => void): Promise<RedisStore> {
    const redis = await openRedis(url, onError, { wait: true, commandTimeoutMs: COMMAND_TIMEOUT_MS });
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
    const table = await this.#ask(async () => {
      if ((await client.hlen(this.#key)) > MAX_CHANGES) {
        throw this.#broken();
      }
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
    const tell = () => {
      for (const listener of this.#listeners) listener();
    };
    // The connection for commands tells of a Redis that is away.
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', tell);
    await this.#ask(() => this.subscriber.subscribe(this.#key));
    // What was changed while the connection was down was not heard.
    this.subscriber.on('ready', tell);
  }

  async #change(node: NodeAddress, change: NodeRole | 'removed'): Promise<void> {
    await this.#ask(async () => {
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

  /** What Redis holds may have been written by anybody who can reach it. */
  #checked(table: Record<string, string>): ChangeTable {
    try {
      return new Map(
        Object.entries(table).map(([key, change]) => {
          const [ip, digits, ...rest] = key.split(':');
          const node = { ip: ipv4(ip, 'ip'), port: port(Number(digits), 'port') };
          if (rest.length > 0 || nodeKey(node) !== key) {
            throw this.#broken();
          }
          return [key, readChange(change, 'role')] as const;
        }),
      );
    } catch (error) {
      throw error instanceof Faults ? this.#broken() : error;
    }
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      const answer = await question();
      this.redis.worked();
      return answer;
    } catch (error) {
      if (error instanceof ConfigError || error instanceof RequestError) {
        throw error;
      }
      if (error instanceof Error && error.message.startsWith('WRONGTYPE')) {
        throw this.#broken();
      }
      this.redis.failed(error);
      throw new RequestError(503, 'The allowlist cannot be read or kept at the moment');
    }
  }

  #broken(): ConfigError {
    return new ConfigError(
      'ALLOWLIST_UNUSABLE',
      `the allowlist in Redis, under ${this.#key}, holds something else`,
    );
  }
}
