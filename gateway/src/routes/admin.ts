import { createHash, timingSafeEqual } from 'node:crypto';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onRequestAsyncHookHandler,
} from 'fastify';
import { RequestError } from '../base/errors.js';
import { nodeKey } from '../base/node-address.js';
import { GATEWAY_VERSION } from '../base/version.js';
import type { GatewayConfig } from '../config/config.js';
import type { GatewayContext } from '../gateway-context.js';
import type { SystemStats } from '../monitoring/system-stats.js';
import type { KnownNode } from '../nodes/node-directory.js';
import { ADMIN_STATE, type AdminNode, type AdminState, media } from '../openapi/records.js';
import { readPage, sendPage, wantsPage } from '../pages/page.js';
import { uptimeSeconds } from './status.js';

/** The security schemes of the OpenAPI document, of which one is enough. */
export const ADMIN_KEY = [{ bearer: [] }, { apiKey: [] }];

const PAGE_SCHEMA: FastifySchema = {
  operationId: 'adminPage',
  summary: 'The admin page',
  security: ADMIN_KEY,
  response: { 200: media('text/html', 'The page') },
};
const STATE_SCHEMA = {
  operationId: 'adminState',
  summary: 'Data of the admin page',
  security: ADMIN_KEY,
  response: { 200: { ...ADMIN_STATE, description: 'Gateway, nodes, traffic and machine' } },
};
type KeyCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * `GET /admin` sends the page, which contains no data. If the admin key is missing, the page is sent with
 * 401, so that it can ask for the key. `GET /admin/state` sends the data of the page.
 */
export function addAdminRoutes(
  app: FastifyInstance,
  context: GatewayContext,
  stats: SystemStats,
  checkKey: KeyCheck,
): void {
  app.get('/admin', { schema: PAGE_SCHEMA }, async (request, reply) => {
    reply.header('vary', 'accept');
    await checkKey(request, reply).catch(error => {
      if (!(error instanceof RequestError && error.statusCode === 401 && wantsPage(request))) throw error;
      reply.code(401);
    });
    return sendPage(reply, await readPage('admin'));
  });
  const onRequest: onRequestAsyncHookHandler = checkKey;
  app.get('/admin/state', { onRequest, schema: STATE_SCHEMA }, () => describeState(context, stats));
}

async function describeState(context: GatewayContext, stats: SystemStats): Promise<AdminState> {
  const { config, nodes } = context;
  const { requests, answers, bytesOut, nodes: asked } = context.traffic.counts();
  const countsByNode = new Map(asked.map(counts => [nodeKey(counts), counts]));
  return {
    gateway: {
      domain: config.gatewayHost,
      mode: config.mode,
      version: GATEWAY_VERSION,
      uptime_seconds: uptimeSeconds(context),
      genesis_hash: nodes.genesisHash(),
    },
    nodes: nodes.nodes().map(node => describeNode(node, countsByNode.get(nodeKey(node)))),
    traffic: { requests, answers, bytes_out: bytesOut },
    system: await stats.read(),
  };
}

function describeNode(
  { ip, port, host, role, source, routed, behind, standing, health, isCordoned, breaker, fork }: KnownNode,
  { requests, failures, running } = { requests: 0, failures: 0, running: 0 },
): AdminNode {
  return {
    ip,
    port,
    host,
    role,
    source,
    routed,
    cordoned: isCordoned,
    broken: breaker.isOpen,
    answers: health.answers,
    other_fork: fork?.other,
    fault: health.fault,
    genesis_hash: health.genesisHash,
    height: health.height?.toString(),
    behind: standing === 'in-step' ? undefined : behind.toString(),
    latency_ms: health.latencyMs,
    requests,
    failures,
    running,
  };
}

/**
 * Returns a hook that requires the admin key, as `Authorization: Bearer KEY` or `X-API-Key: KEY`. It throws
 * RequestError 401 without a valid key, and 429 for a client that sent too many invalid keys. The valid key
 * is always accepted.
 */
export function requireAdminKey({ config }: { config: Pick<GatewayConfig, 'adminApiKey'> }) {
  // Digests have equal length, so the comparison takes constant time.
  const expected = digest(config.adminApiKey);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = presentedKey(request);
    if (key !== undefined && timingSafeEqual(digest(key), expected)) return;
    if (key !== undefined) request.server.countAdminFailure?.(request, reply);
    reply.header('www-authenticate', 'Bearer realm="zbc-gateway"');
    throw new RequestError(401, key === undefined ? 'The admin key is missing' : 'The admin key is invalid');
  };
}

function presentedKey({ headers }: FastifyRequest): string | undefined {
  const bearer = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1];
  const key = bearer ?? headers['x-api-key'];
  return typeof key === 'string' ? key : undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
