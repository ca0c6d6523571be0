import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { clientNaming } from './client.js';
import { ClientWindows, type Count } from './client-windows.js';

const WINDOW_MS = 60_000;
const MAX_ADMIN_FAILURES = 10;

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts what was no request; whether the client is past its limit. */
    countMalformed: (client: string) => boolean;
    /** Counts an invalid admin key; throws RequestError 429 past the client's limit. */
    countAdminFailure?: (request: FastifyRequest, reply: FastifyReply) => void;
  }
}

interface Counters {
  requests: ClientWindows | undefined;
  writes: ClientWindows | undefined;
}

/** Enforces `rate_limit` per client with 429, and reports it in the headers of every response. */
export function addRateLimits(app: FastifyInstance, config: GatewayConfig): void {
  const { requests, writes } = config.rateLimit;
  const counters: Counters = {
    requests: requests === 0 ? undefined : windowsOf(requests),
    writes: writes === 0 ? undefined : windowsOf(writes),
  };
  const adminFailures = windowsOf(MAX_ADMIN_FAILURES);
  const clientOf = clientNaming(config.trustedProxies);
  app.decorate('countMalformed', (client: string) => counters.requests?.count(client).isExceeded ?? false);
  app.decorate('countAdminFailure', (request: FastifyRequest, reply: FastifyReply) => {
    const count = adminFailures.count(clientOf(request.raw));
    if (count.isExceeded) throw refusalOf(reply, count, 'invalid admin keys');
  });
  if (requests > 0 || writes > 0) {
    app.addHook('onRequest', (request, reply, done) => {
      done(limit(counters, request.method, clientOf(request.raw), reply));
    });
  }
}

function windowsOf(maximum: number): ClientWindows {
  return new ClientWindows({ maximum, windowMs: WINDOW_MS });
}

/** Why the request is rejected. */
function limit(
  { requests, writes }: Counters,
  method: string,
  client: string,
  reply: FastifyReply,
): RequestError | undefined {
  const all = requests?.count(client);
  if (all?.isExceeded) return refusalOf(reply, all, 'requests');
  const write = method === 'POST' ? writes?.count(client) : undefined;
  if (write?.isExceeded) return refusalOf(reply, write, 'writes');
  const nearest =
    write !== undefined && write.remaining < (all?.remaining ?? Number.POSITIVE_INFINITY) ? write : all;
  if (nearest !== undefined) setHeaders(reply, nearest);
  return undefined;
}

function setHeaders(reply: FastifyReply, { maximum, remaining, resetSeconds }: Count): void {
  reply.header('ratelimit-limit', maximum);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}

function refusalOf(reply: FastifyReply, count: Count, what: string): RequestError {
  setHeaders(reply, count);
  reply.header('retry-after', count.resetSeconds);
  const allowed = `${count.maximum} allowed in ${WINDOW_MS / 1000} seconds`;
  return new RequestError(
    429,
    `Too many ${what} from your address: ${allowed}; retry in ${count.resetSeconds} seconds`,
  );
}
