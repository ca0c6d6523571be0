import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { release } from '../http/connections.js';
import { clientNaming } from './client.js';

const RETRY_AFTER_SECONDS = 1;

/**
 * Limits running requests: 429 past the client's limit, 503 past that of all chain routes. One runs until its
 * response was sent or its connection closed.
 */
export function addRunningLimits(
  app: FastifyInstance,
  { limits, trustedProxies }: Pick<GatewayConfig, 'limits' | 'trustedProxies'>,
  isChainRoute: (request: FastifyRequest) => boolean,
): void {
  const mostOfClient = limits.requestsPerClient || Infinity;
  const mostOfChain = limits.requests || Infinity;
  const ofClient = new Map<string, number>();
  let ofChain = 0;
  const clientOf = clientNaming(trustedProxies);
  app.addHook('onRequest', (request, reply, done) => {
    const client = clientOf(request.raw);
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
