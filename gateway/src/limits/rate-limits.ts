import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import { openRedis } from '../base/redis.js';
import type { GatewayConfig, RateLimitConfig } from '../config/config.js';
import { clientNaming } from './client.js';
import { ClientWindows, type Count } from './client-windows.js';
import { type Counter, CounterMaker } from './counter.js';

const ADMIN_FAILURES = { name: 'admin-failures', maximum: 10, windowMs: 60_000 };

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts an invalid admin key; throws RequestError 429 past the client's limit. */
    countAdminFailure?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

interface Counters {
  requests?: Counter;
  writes?: Counter;
  adminFailures?: Counter;
}

/**
 * Enforces `rate_limit` per client with 429, and reports it in the headers of every response. Returns what
 * counts all requests in memory, without that limit undefined.
 */
export function addRateLimits(app: FastifyInstance, context: Context): ClientWindows | undefined {
  const counters: Counters = {};
  const windows = windowsOf(context.config.rateLimit);
  app.register(async scope => {
    Object.assign(counters, await makeCounters(scope, context, windows));
  });
  app.decorate('countAdminFailure', async (request: FastifyRequest, reply: FastifyReply) => {
    const count = await counters.adminFailures?.(request);
    if (count?.isExceeded) throw refusalOf(reply, count, 'invalid admin keys', ADMIN_FAILURES.windowMs);
  });
  const { requests, writes, windowSeconds } = context.config.rateLimit;
  if (requests > 0 || writes > 0) {
    app.addHook('onRequest', (request, reply, done) => {
      const refusal = limit(counters, request, reply, 1000 * windowSeconds);
      if (refusal instanceof Promise) refusal.then(done, done);
      else done(refusal);
    });
  }
  return windows;
}

function windowsOf({ requests, windowSeconds }: RateLimitConfig): ClientWindows | undefined {
  return requests === 0
    ? undefined
    : new ClientWindows({ maximum: requests, windowMs: 1000 * windowSeconds });
}

interface Context {
  config: GatewayConfig;
  onError: (error: Error) => void;
}

async function makeCounters(
  scope: FastifyInstance,
  { config, onError }: Context,
  windows: ClientWindows | undefined,
): Promise<Counters> {
  const redis = config.redisUrl === undefined ? undefined : await openRedis(config.redisUrl, onError);
  scope.addHook('onClose', async () => redis?.close());
  const maker = new CounterMaker(scope, config.gatewayHost, clientNaming(config.trustedProxies), redis);
  const { requests: most, writes: mostWrites, windowSeconds } = config.rateLimit;
  const windowMs = 1000 * windowSeconds;
  const requests = windows && (await maker.make({ name: 'requests', maximum: most, windowMs }, windows));
  const writes =
    mostWrites > 0 ? await maker.make({ name: 'writes', maximum: mostWrites, windowMs }) : undefined;
  return {
    ...(requests && { requests }),
    ...(writes && { writes }),
    adminFailures: await maker.make(ADMIN_FAILURES),
  };
}

/** Why the request is rejected. */
function limit(
  counters: Counters,
  request: FastifyRequest,
  reply: FastifyReply,
  windowMs: number,
): MayWait<RequestError | undefined> {
  return after(counters.requests?.(request), all => {
    if (all?.isExceeded) return refusalOf(reply, all, 'requests', windowMs);
    return after(request.method === 'POST' ? counters.writes?.(request) : undefined, write => {
      if (write?.isExceeded) return refusalOf(reply, write, 'writes', windowMs);
      const nearest =
        write !== undefined && write.remaining < (all?.remaining ?? Number.POSITIVE_INFINITY) ? write : all;
      if (nearest !== undefined) setHeaders(reply, nearest);
      return undefined;
    });
  });
}

type MayWait<T> = T | Promise<T>;

/** Goes on at once where nothing is to be waited for. */
function after<T, R>(value: MayWait<T>, next: (value: T) => MayWait<R>): MayWait<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function setHeaders(reply: FastifyReply, { maximum, remaining, resetSeconds }: Count): void {
  reply.header('ratelimit-limit', maximum);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}

function refusalOf(reply: FastifyReply, count: Count, what: string, windowMs: number): RequestError {
  setHeaders(reply, count);
  reply.header('retry-after', count.resetSeconds);
  const allowed = `${count.maximum} allowed in ${windowMs / 1000} seconds`;
  return new RequestError(
    429,
    `Too many ${what} from your address: ${allowed}; retry in ${count.resetSeconds} seconds`,
  );
}
