import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { release } from '../http/connections.js';
import { clientNaming } from './client.js';

const RETRY_AFTER_SECONDS = 1;

/**
 * Limits the requests that run at the same time: 429 past a client's limit, 503 past that of all chain
 * routes. A request runs until its response was sent or its connection closed.
 */
export function addRunningLimits(
  app: FastifyInstance,
  { limits, trustedProxies }: Pick<GatewayConfig, 'limits' | 'trustedProxies'>,
  isChainRoute: (request: FastifyRequest) => boolean,
): void {
  const clientOf = clientNaming(trustedProxies);
  const most = { client: limits.requestsPerClient || Infinity, all: limits.requests || Infinity };
  const counts = new Map<string, number>();
  let chainRequests = 0;
  app.addHook('onRequest', (request, reply, done) => {
    const client = clientOf(request.raw);
    const count = counts.get(client) ?? 0;
    const isChain = isChainRoute(request);
    if (count >= most.client) {
      done(tooMany(reply, 429, `Too many requests at once from your address: ${most.client} allowed`));
    } else if (isChain && chainRequests >= most.all) {
      done(tooMany(reply, 503, 'The gateway is overloaded'));
    } else {
      counts.set(client, count + 1);
      chainRequests += Number(isChain);
      reply.raw.once('close', () => {
        release(counts, client);
        chainRequests -= Number(isChain);
      });
      done();
    }
  });
}

function tooMany(reply: FastifyReply, status: number, message: string): RequestError {
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  return new RequestError(status, message);
}
