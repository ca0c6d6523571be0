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
import { type AddedNode, fromTable, Listeners, MAX_CHANGES, tooManyChanges } from './changes.js';

const readAdmission = oneOf<NodeRole | 'removed'>('full', 'archival', 'removed');
const readCause = oneOf(...CORDON_CAUSES);

/** Of a table that was written: it grows with each change. */
const REVISION = /^[1-9]\d{0,14}$/;

/** What Redis held at a revision; 0: it was never written, or by a gateway that counts none. */
interface Held {
  revision: number;
  admissions: Record<string, string>;
  cordons: Record<string, string>;
}

/**
 * Makes a change, unless Redis has lost what the gateway knows: KEYS the table, all tables' channel, and the
 * revision; ARGV the known revision, the most changes, the node, and the change, which is empty for none.
 */
const CHANGE = `
local revision = tonumber(redis.call('get', KEYS[3]) or '0')
if revision < tonumber(ARGV[1]) then return 'lost' end
if ARGV[4] == '' then
  redis.call('hdel', KEYS[1], ARGV[3])
elseif redis.call('hlen', KEYS[1]) >= tonumber(ARGV[2]) and redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return 'full'
else
  redis.call('hset', KEYS[1], ARGV[3], ARGV[4])
end
redis.call('incr', KEYS[3])
redis.call('publish', KEYS[2], '')
return 'done'`;

/**
 * Writes what a gateway knows, unless another one that knows as much has: KEYS both tables and the revision;
 * ARGV the known revision, how many of the words that follow are of the first table, and these.
 */
const RESTORE = `
local revision = tonumber(redis.call('get', KEYS[3]) or '0')
if revision >= tonumber(ARGV[1]) then return 0 end
redis.call('del', KEYS[1], KEYS[2])
for at = 3, #ARGV, 2 do
  redis.call('hset', KEYS[at - 2 <= tonumber(ARGV[2]) and 1 or 2], ARGV[at], ARGV[at + 1])
end
redis.call('set', KEYS[3], ARGV[1])
redis.call('publish', KEYS[1], '')
return 1`;

/**
 * Stores the changes in two Redis hashes; a channel announces them to every replica. A Redis that came back
 * without them, or with older ones, gets the list of the gateway that knows the latest.
 */
export class RedisStore implements AllowlistStore {
  readonly #listeners = new Listeners();
  readonly #key: string;
  /** Beside the first hash, which an older gateway reads. */
  readonly #cordonsKey: string;
  readonly #revisionKey: string;
  #known: Held = { revision: 0, admissions: {}, cordons: {} };

  private constructor(
    private readonly redis: SharedRedis,
    private readonly subscriber: Redis,
    gatewayHost: string,
    private readonly onError: (error: Error) => void,
  ) {
    this.#key = `${keyPrefix(gatewayHost)}allowlist`;
    this.#cordonsKey = `${keyPrefix(gatewayHost)}cordons`;
    this.#revisionKey = `${keyPrefix(gatewayHost)}revision`;
  }

  /** Throws ConfigError REDIS_UNREACHABLE if Redis does not answer. */
  static async open(url: string, gatewayHost: string, onError: (error: Error) => void): Promise<RedisStore> {
    const redis = await openRedis(url, onError, { wait: true });
    const subscriber = redis.client.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
    const store = new RedisStore(redis, subscriber, gatewayHost, onError);
    await store.#listen().catch(async error => {
      await store.close();
      throw error;
    });
    return store;
  }

  async read(): Promise<AllowlistChanges> {
    return this.#run(async () => {
      let held = await this.#readHeld();
      if (held.revision < this.#known.revision) {
        held = (await this.#restore()) ? this.#known : await this.#readHeld();
      }
      const table = {
        admissions: this.#checked(held.admissions, readAdmission),
        cordons: this.#checked(held.cordons, readCause),
      };
      this.#known = held;
      return fromTable(table);
    });
  }

  add(node: AddedNode): Promise<void> {
    return this.#change(this.#key, node, node.role);
  }

  remove(node: NodeAddress): Promise<void> {
    return this.#change(this.#key, node, 'removed');
  }

  cordon(node: NodeAddress, cause: CordonCause): Promise<void> {
    return this.#change(this.#cordonsKey, node, cause);
  }

  uncordon(node: NodeAddress): Promise<void> {
    return this.#change(this.#cordonsKey, node, '');
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
    // Changes made while disconnected were missed; the last of both connections to return can read them.
    const both = [this.redis.client, this.subscriber];
    for (const each of both)
      each.on('ready', () => both.every(({ status }) => status === 'ready') && notify());
  }

  /** All of one moment. Data without a revision, of an older gateway, gets one. */
  async #readHeld(): Promise<Held> {
    const { client } = this.redis;
    const keys = [this.#key, this.#cordonsKey] as const;
    const lengths = await Promise.all(keys.map(key => client.hlen(key)));
    if (lengths.some(length => length > MAX_CHANGES)) throw this.#broken();
    if (lengths.some(length => length > 0)) await client.set(this.#revisionKey, '1', 'NX');
    const answers = await client.multi().get(this.#revisionKey).hgetall(keys[0]).hgetall(keys[1]).exec();
    const [revision, admissions, cordons] = (answers ?? []).map(([error, answer]) => {
      if (error !== null) throw error;
      return answer;
    });
    if (revision !== null && !REVISION.test(String(revision))) throw this.#broken();
    return {
      revision: Number(revision ?? 0),
      admissions: { ...Object(admissions) },
      cordons: { ...Object(cordons) },
    };
  }

  /** Whether this gateway did it; else what Redis holds counts. */
  async #restore(): Promise<boolean> {
    const { revision, admissions, cordons } = this.#known;
    const first = Object.entries(admissions).flat();
    const words = [revision, first.length, ...first, ...Object.entries(cordons).flat()];
    const keys = [this.#key, this.#cordonsKey, this.#revisionKey];
    const isDone = (await this.redis.client.eval(RESTORE, keys.length, ...keys, ...words)) === 1;
    if (isDone) {
      this.onError(
        new Error('Redis had lost changes of the allowlist; they are written again, as known here'),
      );
    }
    return isDone;
  }

  async #change(key: string, node: NodeAddress, change: string): Promise<void> {
    const keys = [key, this.#key, this.#revisionKey];
    const make = () =>
      this.#run(() => {
        const words = [this.#known.revision, MAX_CHANGES, nodeKey(node), change];
        return this.redis.client.eval(CHANGE, keys.length, ...keys, ...words);
      });
    let outcome = await make();
    if (outcome === 'lost') {
      await this.read();
      outcome = await make();
    }
    if (outcome === 'full') throw tooManyChanges();
    if (outcome !== 'done') throw new RequestError(503, 'The allowlist is unavailable');
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
