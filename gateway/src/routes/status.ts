import type { FastifyInstance } from 'fastify';
import { GATEWAY_VERSION } from '../base/version.js';
import type { GatewayContext } from '../gateway-context.js';

/** `GET /gateway/status`: the gateway and its nodes, without chain data. */
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
      nodes: nodes.map(({ ip, port, role, health: { answers }, routed }) => ({
        ip,
        port,
        role,
        answers,
        routed,
      })),
    };
  });
}

export function uptimeSeconds({ startedAtMs }: GatewayContext): number {
  return Math.floor((performance.now() - startedAtMs) / 1000);
}
