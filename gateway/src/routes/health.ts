import type { FastifyInstance } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayContext } from '../gateway-context.js';

/**
 * For supervisors and load balancers. `GET /gateway/health/live`: the process answers. `GET
 * /gateway/health/ready`: a node is there to answer requests, else 503.
 */
export function addHealthRoutes(app: FastifyInstance, { nodes, config }: GatewayContext): void {
  const retryAfterSeconds = Math.ceil(config.healthIntervalMs / 1000);
  app.get('/gateway/health/live', () => ({ live: true }));
  app.get('/gateway/health/ready', (_request, reply) => {
    if (nodes.nodes().some(({ routed }) => routed)) return reply.send({ ready: true });
    reply.header('retry-after', retryAfterSeconds);
    throw new RequestError(503, 'No node is available');
  });
}
