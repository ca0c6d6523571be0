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
    countMalformed: (client: string) => Readonly<ClientCount> | undefined;
    /** Counts an invalid admin key; throws RequestError 429 above the client's limit. */
    countAdminFailure?: (request: FastifyRequest, reply: FastifyReply) => void;
  }
}

interface Counters {
  requests: ClientWindows | undefined;
  writes: ClientWindows | undefined;
}

/** Enforces `rate_limit` per client with 429, and reports it in the headers of every response. */
export function addRateLimits(
  app: FastifyInstance,
  { requests, writes }: GatewayConfig['rateLimit'],
  clients: Clients,
): void {
  const counters: Counters = {
    requests: requests === 0 ? undefined : windowsOf(requests),
    writes: writes === 0 ? undefined : windowsOf(writes),
  };
  const adminFailures = windowsOf(MAX_ADMIN_FAILURES);
  app.decorate('countMalformed', (client: string) => counters.requests?.count(client));
  app.decorate('countAdminFailure', (request: FastifyRequest, reply: FastifyReply) => {
    const count = adminFailures.count(clients.nameOf(request.raw));
    if (count.isExceeded) throw refusalOf(reply, count, 'invalid admin keys');
  });
  if (requests > 0 || writes > 0) {
    app.addHook('onRequest', (request, reply, done) => {
      if (isUnlimited(request)) done();
      else done(limit(counters, request.method, clients.nameOf(request.raw), reply));
    });
  }
}

/** Whether the request is for an unlimited route and passed the request checks. */
function isUnlimited({ routeOptions, refusal }: FastifyRequest): boolean {
  return routeOptions.config.isUnlimited === true && !refusal;
}

function windowsOf(maximum: number): ClientWindows {
  return new ClientWindows({ maximum, windowMs: WINDOW_MS });
}

/** Counts a request. Returns the error with which it is rejected, or undefined. */
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
  if (nearest !== undefined) reply.headers(limitHeaders(nearest));
  return undefined;
}

export function limitHeaders(count: Readonly<ClientCount>): Record<string, number> {
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

/**
 * Limits running requests: 429 above the client's limit, 503 above that of all chain routes. A request runs
 * until its response is sent or its connection closes.
 */
export function addRunningLimits(
  app: FastifyInstance,
  limits: GatewayConfig['limits'],
  clients: Clients,
  isChainRoute: (request: FastifyRequest) => boolean,
): void {
  const mostOfClient = limits.requestsPerClient || Infinity;
  const mostOfChain = limits.requests || Infinity;
  const ofClient = new Map<string, number>();
  let ofChain = 0;
  app.addHook('onRequest', (request, reply, done) => {
    if (isUnlimited(request)) {
      done();
      return;
    }
    const client = clients.nameOf(request.raw);
    const isChain = isChainRoute(request);
    const running = ofClient.get(client) ?? 0;
    if (running >= mostOfClient || (isChain && ofChain >= mostOfChain)) {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      const words = `Too many requests at once from your address: ${mostOfClient} allowed`;
      const isOwn = running >= mostOfClient;
      done(isOwn ? new RequestError(429, words) : new RequestError(503, 'The gateway is overloaded'));
      return;
    }
    ofClient.set(client, running + 1);
    ofChain += Number(isChain);
    reply.raw.once('close', () => {
      release(ofClient, client);
      ofChain -= Number(isChain);
    });
    done();
  });
}
