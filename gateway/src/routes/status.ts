import { statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem, uptime } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import { addressOf } from '../base/node-address.js';
import { GATEWAY_VERSION } from '../base/version.js';
import type { GatewayContext } from '../gateway-context.js';
import type { KnownNode } from '../nodes/known-node.js';
import { COUNT, NODE } from '../openapi/records.js';

const STATUS = Type.Object({
  mode: Type.Enum(['public', 'private']),
  domain: Type.String(),
  version: Type.String(),
  uptime_seconds: COUNT,
  allowlisted: COUNT,
  answering: COUNT,
  nodes: Type.Array(
    Type.Object({ ...NODE, routed: Type.Boolean({ description: 'Whether requests go to the node' }) }),
  ),
});
const STATUS_SCHEMA = {
  operationId: 'gatewayStatus',
  summary: 'Status of the gateway and its nodes, without chain data',
  response: { 200: STATUS },
};
const LIVE_SCHEMA = {
  operationId: 'live',
  summary: 'Whether the process answers',
  response: { 200: Type.Object({ live: Type.Boolean() }) },
};
const READY_SCHEMA = {
  operationId: 'ready',
  summary: 'Whether any node can answer requests',
  response: { 200: Type.Object({ ready: Type.Boolean() }) },
};
const STATS_SCHEMA = {
  operationId: 'systemStats',
  summary: 'CPU, memory, disk and uptime of the machine',
  response: {
    200: Type.Object({
      cpu: Type.Object({ count: COUNT, load_average: Type.Array(Type.Number()) }),
      memory: Type.Object({ total_bytes: COUNT, free_bytes: COUNT, process_bytes: COUNT }),
      disk: Type.Object({ total_bytes: COUNT, free_bytes: COUNT }),
      uptime: Type.Object({ system_seconds: COUNT, process_seconds: COUNT }),
    }),
  },
};

/**
 * Adds the routes that need no key. `GET /gateway/status` describes the gateway and its nodes, without chain data;
 * `GET /gateway/system-stats` describes the machine. `GET /gateway/health/live` answers 200 while the process
 * answers; `GET /gateway/health/ready` answers 200 if at least one node is routed, otherwise 503.
 */
export function addStatusRoutes(app: FastifyInstance, context: GatewayContext): void {
  const { nodes } = context;
  app.get('/gateway/status', { schema: STATUS_SCHEMA }, () => {
    const all = nodes.nodes();
    return {
      ...describeGateway(context),
      allowlisted: all.length,
      answering: all.filter(({ health }) => health.answers).length,
      nodes: all.map(node => ({ ...viewNode(node), routed: node.routed })),
    };
  });
  app.get('/gateway/system-stats', { schema: STATS_SCHEMA }, readSystemStats);
  const config = { isUnlimited: true };
  app.get('/gateway/health/live', { config, schema: LIVE_SCHEMA }, () => ({ live: true }));
  app.get('/gateway/health/ready', { config, schema: READY_SCHEMA }, () => {
    if (nodes.nodes().some(({ routed }) => routed)) return { ready: true };
    throw new RequestError(503, 'No node is available');
  });
}

export function describeGateway({ config, startedAtMs }: GatewayContext) {
  return {
    mode: config.mode,
    domain: config.gatewayHost,
    version: GATEWAY_VERSION,
    uptime_seconds: Math.floor((performance.now() - startedAtMs) / 1000),
  };
}

/** The public part of a node's state. */
export function viewNode(node: KnownNode) {
  return { ...addressOf(node), role: node.role, answers: node.health.answers };
}

/** Reads CPU, memory, disk and uptime; the disk is that of the working directory. */
export async function readSystemStats() {
  const { bsize, blocks, bavail } = await statfs(process.cwd());
  return {
    cpu: { count: cpus().length, load_average: loadavg().map(load => Math.round(load * 100) / 100) },
    memory: { total_bytes: totalmem(), free_bytes: freemem(), process_bytes: process.memoryUsage.rss() },
    disk: { total_bytes: bsize * blocks, free_bytes: bsize * bavail },
    uptime: { system_seconds: Math.floor(uptime()), process_seconds: Math.floor(process.uptime()) },
  };
}
