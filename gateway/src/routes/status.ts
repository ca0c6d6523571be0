import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import { addressOf } from '../base/node-address.js';
import { GATEWAY_VERSION } from '../base/version.js';
import type { GatewayContext } from '../gateway-context.js';
import type { SystemStats } from '../monitoring/system-stats.js';
import type { KnownNode } from '../nodes/node-directory.js';
import { COUNT, NODE, refusal, SYSTEM_STATS } from '../openapi/records.js';

const STATUS = Type.Object(
  {
    mode: Type.Enum(['public', 'private']),
    domain: Type.String(),
    version: Type.String(),
    uptime_seconds: COUNT,
    allowlisted: COUNT,
    answering: COUNT,
    nodes: Type.Array(
      Type.Object({ ...NODE, routed: Type.Boolean({ description: 'Whether requests go to the node' }) }),
    ),
  },
  { description: 'The gateway' },
);
const STATUS_SCHEMA = {
  operationId: 'gatewayStatus',
  summary: 'Status of the gateway and its nodes, without chain data',
  response: { 200: STATUS },
};
const LIVE_SCHEMA = {
  operationId: 'live',
  summary: 'Whether the process answers',
  response: { 200: Type.Object({ live: Type.Boolean() }, { description: 'The process answers' }) },
};
const READY_SCHEMA = {
  operationId: 'ready',
  summary: 'Whether any node can answer requests',
  response: {
    200: Type.Object({ ready: Type.Boolean() }, { description: 'At least one node can answer requests' }),
    503: refusal('No node is available; see Retry-After'),
  },
};
const STATS_SCHEMA = {
  operationId: 'systemStats',
  summary: 'CPU, memory, disk and uptime of the machine',
  response: { 200: { ...SYSTEM_STATS, description: 'The machine' } },
};

/** `GET /gateway/status` describes the gateway and its nodes, without chain data. */
export function addStatusRoute(app: FastifyInstance, context: GatewayContext): void {
  app.get('/gateway/status', { schema: STATUS_SCHEMA }, () => {
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
export function viewNode(node: KnownNode) {
  return { ...addressOf(node), role: node.role, answers: node.health.answers, cordoned: node.isCordoned };
}

export function uptimeSeconds({ startedAtMs }: GatewayContext): number {
  return Math.floor((performance.now() - startedAtMs) / 1000);
}

/**
 * Adds health routes for supervisors and load balancers. `GET /gateway/health/live` answers 200 while the
 * process answers. `GET /gateway/health/ready` answers 200 if at least one node is routed, otherwise 503.
 */
export function addHealthRoutes(app: FastifyInstance, { nodes }: GatewayContext): void {
  const config = { isUnlimited: true };
  app.get('/gateway/health/live', { config, schema: LIVE_SCHEMA }, () => ({ live: true }));
  app.get('/gateway/health/ready', { config, schema: READY_SCHEMA }, () => {
    if (nodes.nodes().some(({ routed }) => routed)) return { ready: true };
    throw new RequestError(503, 'No node is available');
  });
}

/** `GET /gateway/system-stats` reports CPU, memory, disk and uptime of the machine. */
export function addSystemStatsRoute(app: FastifyInstance, stats: SystemStats): void {
  app.get('/gateway/system-stats', { schema: STATS_SCHEMA }, () => stats.read());
}
