import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keyPrefix, type SharedRedis } from '../redis.js';
import type { ClientOf } from './client.js';

/** So many in each window, for each client. */
export interface Allowance {
  /** Tells the counters of one client apart. */
  name: string;
  maximum: number;
  windowMs: number;
}

export interface Count {
  isExceeded: boolean;
  maximum: number;
  remaining: number;
  resetSeconds: number;
}

/** Counts a request for its client. */
export type Counter = (request: FastifyRequest) => Promise<Count>;

/** Clients that are remembered for each counter in memory; beyond them the one that was seen longest ago is forgotten. */
const MAX_CLIENTS = 20_000;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

/** Makes counters that live in Redis when there is one, and in memory while it is away or when there is none. `app` is a plugin's, still loading. */
export class CounterMaker {
  constructor(
    private readonly app: FastifyInstance,
    private readonly gatewayHost: string,
    private readonly clientOf: ClientOf,
    private readonly redis: SharedRedis | undefined,
  ) {}

  async make(allowance: Allowance): Promise<Counter> {
    const local = await this.#limiter(allowance);
    if (this.redis === undefined) {
      return async request => countOf(await local(request));
    }
    const redis = this.redis;
    const shared = await this.#limiter(allowance, redis);
    return async request => {
      if (redis.isUsable()) {
        try {
          const verdict = await shared(request);
          redis.worked();
          return countOf(verdict);
        } catch (error) {
          redis.failed(error);
        }
      }
      return countOf(await local(request));
    };
  }

  /** Each limiter is of a scope of its own, as the plugin has one store a scope. */
  async #limiter({ name, maximum, windowMs }: Allowance, redis?: SharedRedis): Promise<Limiter> {
    const { default: rateLimit } = await import('@fastify/rate-limit');
    let limiter: Limiter | undefined;
    await this.app.register(async scope => {
      await scope.register(rateLimit, {
        global: false,
        max: maximum,
        timeWindow: windowMs,
        cache: MAX_CLIENTS,
        keyGenerator: request => this.clientOf(request.raw),
        ...(redis && { redis: redis.client, nameSpace: `${keyPrefix(this.gatewayHost)}${name}:` }),
      });
      limiter = scope.createRateLimit();
    });
    return limiter!;
  }
}

function countOf(verdict: Awaited<ReturnType<Limiter>>): Count {
  return verdict.isAllowed
    ? { isExceeded: false, maximum: 0, remaining: 0, resetSeconds: 0 }
    : {
        isExceeded: verdict.isExceeded,
        maximum: verdict.max,
        remaining: verdict.remaining,
        resetSeconds: verdict.ttlInSeconds,
      };
}
