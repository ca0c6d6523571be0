import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import type { GatewayContext } from '../gateway-context.js';
import { type KnownNode, stateOf } from '../nodes/known-node.js';
import { media } from '../openapi/records.js';
import type { AdminNode, AdminState } from '../pages/admin-state.js';
import { readPage, sendPage, wantsPage } from '../pages/page.js';
import { describeGateway, readSystemStats, viewNode } from './status.js';

/** The security schemes of the OpenAPI document, of which one is enough. */
export const ADMIN_KEY = [{ bearer: [] }, { apiKey: [] }];

const PAGE_SCHEMA = {
  operationId: 'adminPage',
  summary: 'The admin page',
  security: ADMIN_KEY,
  response: { 200: media('text/html') },
};
const STATE_SCHEMA = {
  operationId: 'adminState',
  summary: 'Data of the admin page, with the state of each node',
  security: ADMIN_KEY,
  response: { 200: { type: 'object' } },
};
type KeyCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * `GET /admin` sends the page, which contains no data. If the admin key is missing, the page is sent with
 * 401, so that it can ask for the key. `GET /admin/state` sends the data of the page.
 */
export function addAdminRoutes(app: FastifyInstance, context: GatewayContext, checkKey: KeyCheck): void {
  app.get('/admin', { schema: PAGE_SCHEMA }, async (request, reply) => {
    reply.header('vary', 'accept');
    await checkKey(request, reply).catch(error => {
      if (!(error instanceof RequestError && error.statusCode === 401 && wantsPage(request))) throw error;
      reply.statusCode = 401;
    });
    return sendPage(reply, await readPage('admin'));
  });
  const onRequest: onRequestAsyncHookHandler = checkKey;
  app.get('/admin/state', { onRequest, schema: STATE_SCHEMA }, async (): Promise<AdminState> => {
    const genesis_hash = context.nodes.genesisHash();
    return {
      gateway: { ...describeGateway(context), ...(genesis_hash && { genesis_hash }) },
      nodes: context.nodes.nodes().map(node => describeNode(node, context)),
      system: await readSystemStats(),
    };
  });
}

function describeNode(node: KnownNode, { nodes, traffic }: GatewayContext): AdminNode {
  const { source, routed, health } = node;
  return {
    ...viewNode(node),
    source,
    routed,
    state: stateOf(node, nodes.genesisHash())[1],
    height: health.height?.toString(),
    latency_ms: health.latencyMs,
    ...traffic.countsOf(node),
  };
}

/**
 * Returns a hook that requires the admin key, as `Authorization: Bearer KEY` or `X-API-Key: KEY`. It throws
 * RequestError 401 without a valid key, and 429 for a client that sent too many invalid keys. The valid key
 * is always accepted.
 */
export function requireAdminKey({ config }: { config: Pick<GatewayConfig, 'adminApiKey'> }): KeyCheck {
  // Digests have equal length, so the comparison takes constant time.
  const expected = digest(config.adminApiKey);
  return async (request, reply) => {
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
