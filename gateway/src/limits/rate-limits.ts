import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitConfig } from '../config/config.js';
import { RequestError } from '../errors.js';
import type { GatewayContext } from '../gateway-context.js';
import { openRedis } from '../redis.js';
import { clientNaming } from './client.js';
import { type Count, type Counter, CounterMaker } from './counter.js';

const ADMIN_FAILURES = { name: 'admin-failures', maximum: 10, windowMs: 60_000 };

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a wrong admin key; throws RequestError 429 when its client has had too many. */
    countAdminFailure?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

interface Counters {
  requests?: Counter;
  writes?: Counter;
  adminFailures?: Counter;
}

/** Holds each client to `rate_limit`, telling it in the headers of every answer; what is past it is answered 429. */
export function addRateLimits(app: FastifyInstance, context: Context): void {
  const counters: Counters = {};
  app.register(async scope => {
    Object.assign(counters, await makeCounters(scope, context));
  });
  app.decorate('countAdminFailure', async (request: FastifyRequest, reply: FastifyReply) => {
    const count = await counters.adminFailures?.(request);
    if (count?.isExceeded) {
      refuse(reply, count, 'wrong admin keys', ADMIN_FAILURES.windowMs);
    }
  });
  const { requests, writes, windowSeconds } = context.config.rateLimit;
  if (requests > 0 || writes > 0) {
    app.addHook('onRequest', (request, reply) => limit(counters, request, reply, 1000 * windowSeconds));
  }
}

/** What is needed of a gateway's context. */
type Context = Pick<GatewayContext, 'config' | 'onError'>;

async function makeCounters(scope: FastifyInstance, { config, onError }: Context): Promise<Counters> {
  const redis = config.redisUrl === undefined ? undefined : await openRedis(config.redisUrl, onError);
  scope.addHook('onClose', async () => redis?.close());
  const maker = new CounterMaker(scope, config.gatewayHost, clientNaming(config.trustedProxies), redis);
  const make = (name: 'requests' | 'writes', { windowSeconds, ...most }: RateLimitConfig) =>
    most[name] === 0 ? undefined : maker.make({ name, maximum: most[name], windowMs: 1000 * windowSeconds });
  const [requests, writes] = [
    await make('requests', config.rateLimit),
    await make('writes', config.rateLimit),
  ];
  return {
    ...(requests && { requests }),
    ...(writes && { writes }),
    adminFailures: await maker.make(ADMIN_FAILURES),
  };
}

async function limit(counters: Counters, request: FastifyRequest, reply: FastifyReply, windowMs: number) {
  const all = await counters.requests?.(request);
  if (all?.isExceeded) {
    refuse(reply, all, 'requests', windowMs);
  }
  const write = request.method === 'POST' ? await counters.writes?.(request) : undefined;
  if (write?.isExceeded) {
    refuse(reply, write, 'writes', windowMs);
  }
  const nearest =
    write !== undefined && write.remaining < (all?.remaining ?? Number.POSITIVE_INFINITY) ? write : all;
  if (nearest !== undefined) {
    tell(reply, nearest);
  }
}

function tell(reply: FastifyReply, { maximum, remaining, resetSeconds }: Count): void {
  reply.header('ratelimit-limit', maximum);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}

function refuse(reply: FastifyReply, count: Count, what: string, windowMs: number): never {
  tell(reply, count);
  reply.header('retry-after', count.resetSeconds);
  const allowed = `${count.maximum} in ${windowMs / 1000} seconds are allowed`;
  throw new RequestError(
    429,
    `Too many ${what} from your address: ${allowed}; try again in ${count.resetSeconds}`,
  );
}
