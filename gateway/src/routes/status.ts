import type { FastifyInstance } from 'fastify';
import { RequestError } from '../base/errors.js';
import { GATEWAY_VERSION } from '../base/version.js';
import type { GatewayContext } from '../gateway-context.js';
import type { SystemStats } from '../monitoring/system-stats.js';
import type { KnownNode } from '../nodes/node-directory.js';

/** `GET /gateway/status` describes the gateway and its nodes, without chain data. */
export function addStatusRoute(app: FastifyInstance, context: GatewayContext): void {
  app.get('/gateway/status', () => {
    const nodes = context.nodes.nodes();
    return {
      mode: context.config.mode,
      domain: context.config.gatewayHost,
      version: GATEWAY_VERSION,
      uptime_seconds: uptimeSeconds(context),
      allowlisted: nodes.length,
      answering: nodes.filter(({ health }) => health.answers).length,
      nodes: nodes.map(node => ({ ...viewNode(node), routed: node.routed })),
    };
  });
}

/** The public part of a node's state. */
export function viewNode({ ip, port, role, health: { answers }, isCordoned }: KnownNode) {
  return { ip, port, role, answers, cordoned: isCordoned };
}

export function uptimeSeconds({ startedAtMs }: GatewayContext): number {
  return Math.floor((performance.now() - startedAtMs) / 1000);
}

/**
 * Adds health routes for supervisors and load balancers. `GET /gateway/health/live` answers 200 while the
 * process answers. `GET /gateway/health/ready` answers 200 if at least one node is routed, otherwise 503.
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

/** `GET /gateway/system-stats` reports CPU, memory, disk and uptime of the machine. */
export function addSystemStatsRoute(app: FastifyInstance, stats: SystemStats): void {
  app.get('/gateway/system-stats', () => stats.read());
}
