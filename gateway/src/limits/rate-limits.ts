import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { release } from '../http/connections.js';
import type { Clients } from './client.js';
import { type ClientCount, ClientWindows } from './client-windows.js';

const WINDOW_MS = 60_000;
const MAX_ADMIN_FAILURES = 10;
/** `Retry-After` of a response that is sent because too many requests run. */
const RETRY_AFTER_SECONDS = 1;

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether requests of the route are neither counted nor limited. Health checks are: they come from the
     * address of a proxy, which a client may share.
     */
    isUnlimited?: boolean;
  }

  interface FastifyInstance {
    /** Counts malformed input; returns undefined if requests are not limited. */
    countMalformed: (client: string) => ClientCount | undefined;
    /** Counts an invalid admin key; throws RequestError 429 above the client's limit. */
    countAdminFailure?: (request: FastifyRequest, reply: FastifyReply) => void;
  }
}

interface LimitOptions {
  /** Requests and writes that a client may send in a minute; 0 disables a limit. */
  rateLimit: GatewayConfig['rateLimit'];
  /** Requests of one client that may run at once; 0 disables the limit. */
  requestsPerClient: number;
}

/**
 * Enforces the limits per client with 429, and reports `rateLimit` in the headers of every response. Requests that
 * failed the request checks are counted, then refused with their error. A request runs until its response is sent
 * or its connection closes.
 */
export function addLimits(
  app: FastifyInstance,
  { rateLimit, requestsPerClient }: LimitOptions,
  clients: Clients,
): void {
  const requests = windowsOf(rateLimit.requests);
  const writes = windowsOf(rateLimit.writes);
  const adminFailures = windowsOf(MAX_ADMIN_FAILURES);
  const running = new Map<string, number>();
  app.decorate('countMalformed', (client: string) => requests?.count(client));
  app.decorate('countAdminFailure', (request: FastifyRequest, reply: FastifyReply) => {
    const count = adminFailures?.count(clients.nameOf(request.raw));
    if (count?.isExceeded) throw refusalOf(reply, count, 'invalid admin keys');
  });
  app.addHook('onRequest', ({ raw, method, routeOptions, refusal }, reply, done) => {
    if (routeOptions.config.isUnlimited && !refusal) {
      done();
      return;
    }
    const client = clients.nameOf(raw);
    const write = method === 'POST' ? writes?.count(client) : undefined;
    const fault = overRate(requests?.count(client), write, reply) ?? refusal ?? overRunning(client, reply);
    done(fault ?? undefined);
  });

  /** Returns the error with which a request of the client is rejected, or counts it until it has ended. */
  function overRunning(client: string, reply: FastifyReply): RequestError | undefined {
    const count = running.get(client) ?? 0;
    if (requestsPerClient > 0 && count >= requestsPerClient) {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      const words = `Too many requests at once from your address: ${requestsPerClient} allowed`;
      return new RequestError(429, words);
    }
    running.set(client, count + 1);
    reply.raw.once('close', () => release(running, client));
    return undefined;
  }
}

function windowsOf(maximum: number): ClientWindows | undefined {
  return maximum === 0 ? undefined : new ClientWindows({ maximum, windowMs: WINDOW_MS });
}

/** Returns the error with which a counted request is rejected, or undefined. */
function overRate(
  all: ClientCount | undefined,
  write: ClientCount | undefined,
  reply: FastifyReply,
): RequestError | undefined {
  if (all?.isExceeded) return refusalOf(reply, all, 'requests');
  if (write?.isExceeded) return refusalOf(reply, write, 'writes');
  const nearest =
    write !== undefined && write.remaining < (all?.remaining ?? Number.POSITIVE_INFINITY) ? write : all;
  if (nearest !== undefined) reply.headers(limitHeaders(nearest));
  return undefined;
}

export function limitHeaders(count: ClientCount): Record<string, number> {
  const { maximum, remaining, resetSeconds, isExceeded } = count;
  return {
    'ratelimit-limit': maximum,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSeconds,
    ...(isExceeded && { 'retry-after': resetSeconds }),
  };
}

function refusalOf(reply: FastifyReply, count: ClientCount, what: string): RequestError {
  reply.headers(limitHeaders(count));
  const allowed = `${count.maximum} allowed in ${WINDOW_MS / 1000} seconds`;
  return new RequestError(
    429,
    `Too many ${what} from your address: ${allowed}; retry in ${count.resetSeconds} seconds`,
  );
}
