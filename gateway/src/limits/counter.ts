import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keyPrefix, type SharedRedis } from '../base/redis.js';
import { within } from '../base/within.js';
import type { ClientOf } from './client.js';
import { ClientWindows, type Count } from './client-windows.js';

/** A maximum per client and window. */
interface Allowance {
  /** Distinguishes the counters of one client. */
  name: string;
  maximum: number;
  windowMs: number;
}

/** Counts a request for its client; at once unless it is counted in Redis. */
export type Counter = (request: FastifyRequest) => Count | Promise<Count>;

/** How long a request waits for Redis before it is counted here. */
const MAX_WAIT_MS = 500;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

/**
 * Makes counters in Redis, or in memory without Redis and during its outages. `app` belongs to a plugin that
 * is still loading.
 */
export class CounterMaker {
  constructor(
    private readonly app: FastifyInstance,
    private readonly gatewayHost: string,
    private readonly clientOf: ClientOf,
    private readonly redis: SharedRedis | undefined,
  ) {}

  /** `windows` count what is counted in memory. */
  async make(allowance: Allowance, windows = new ClientWindows(allowance)): Promise<Counter> {
    const countHere = ({ raw }: FastifyRequest) => windows.count(this.clientOf(raw));
    if (this.redis === undefined) return countHere;
    const redis = this.redis;
    const shared = await this.#limiter(allowance, redis);
    return async request => {
      if (redis.isUsable()) {
        try {
          const result = await within(MAX_WAIT_MS, shared(request), giveUp);
          redis.worked();
          return countOf(result);
        } catch (error) {
          redis.failed(error);
        }
      }
      return countHere(request);
    };
  }

  /** The plugin has one store per scope, so each limiter gets a separate scope. */
  async #limiter({ name, maximum, windowMs }: Allowance, redis: SharedRedis): Promise<Limiter> {
    const { default: rateLimit } = await import('@fastify/rate-limit');
    let limiter: Limiter | undefined;
    await this.app.register(async scope => {
      await scope.register(rateLimit, {
        global: false,
        max: maximum,
        timeWindow: windowMs,
        keyGenerator: request => this.clientOf(request.raw),
        redis: redis.client,
        nameSpace: `${keyPrefix(this.gatewayHost)}${name}:`,
      });
      limiter = scope.createRateLimit();
    });
    return limiter!;
  }
}

function giveUp(): never {
  throw new Error('Redis did not answer in time');
}

function countOf(result: Awaited<ReturnType<Limiter>>): Count {
  return result.isAllowed
    ? { isExceeded: false, maximum: 0, remaining: 0, resetSeconds: 0 }
    : {
        isExceeded: result.isExceeded,
        maximum: result.max,
        remaining: result.remaining,
        resetSeconds: result.ttlInSeconds,
      };
}
