import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import { sendPreflight } from '../http/cross-origin.js';
import { sendError } from '../http/json-app.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { NodeAnswer, NodeRequest } from '../upstream/node-request.js';
import type { ChainRouter } from './chain-router.js';
import type { RoutedAnswer } from './combined-outcomes.js';
import { CHAIN_PREFIX } from './request-checks.js';
import { pickRequestHeaders } from './request-headers.js';

/**
 * In a response, this header is the height of the node that gave it; in a request, the greatest height that
 * the client has seen.
 */
const HEIGHT = 'zbc-height';
/** This header of a response gives the role of the node that answered. */
const ANSWERED_BY = 'zbc-answered-by';
const CHAIN_ROUTE = `${CHAIN_PREFIX}*`;
const DIGITS = /^\d{1,19}$/;
/** A comma would begin a second type, which browsers prefer. */
const JSON_TYPE = /^application\/json(?:\s*;[^,]*)?$/i;
/**
 * Browsers must not render responses of nodes, because nodes are not trusted and the origin may serve a
 * wallet.
 */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
const NOT_MODIFIED = 304;
const NO_CONTENT = 204;
/** A response with this status has no content, but declares its length (RFC 9110 §15.3.6). */
const RESET_CONTENT = 205;

/** Passes every request under `/api/v1/` on to nodes. */
export function addChainRoutes(app: FastifyInstance, router: ChainRouter): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const add = (method: string[], send: Send) =>
      scope.route({
        method,
        url: CHAIN_ROUTE,
        handler: (request, reply) =>
          send(router, request, reply).then(routed => sendRouted(router, request, reply, routed)),
      });
    add(['GET', 'HEAD'], read);
    add(['POST'], submit);
    scope.options(CHAIN_ROUTE, (_request, reply) => sendPreflight(reply));
  });
}

/** Returns the answer to a request. */
type Send = (router: ChainRouter, request: FastifyRequest, reply: FastifyReply) => Promise<RoutedAnswer>;

/**
 * Sends a response. If the client named no node, a failure whose body is empty gets an error body; the response of
 * a named node is sent unchanged.
 */
function sendRouted(
  router: ChainRouter,
  request: FastifyRequest,
  reply: FastifyReply,
  { node, answer }: RoutedAnswer,
): FastifyReply {
  request.answeredBy = node;
  const height = router.heightOf(node);
  if (height !== undefined) reply.header(HEIGHT, String(height));
  reply.header(ANSWERED_BY, node.role);
  const { status, headers, body } = answer;
  if (body.length > 0) {
    router.memory.takeUntilSent(body.length, reply.raw);
  } else if (request.namedNode === null && (status === 404 || status >= 500)) {
    const retryAfter = headers['retry-after'];
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    // Only one node was asked for a POST. Another node may accept it.
    const missing =
      request.method === 'POST' ? 'The node does not accept this POST' : 'Not found on any node';
    return sendError(reply, status, status === 404 ? missing : `The node returned ${status}`);
  }
  return sendAnswer(reply, answer);
}

/** Sends a node's response to the client. Fastify omits the body for HEAD. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: NodeAnswer): FastifyReply {
  reply.code(status).header('content-security-policy', CONTENT_POLICY);
  for (const name in headers) if (name !== 'content-type') reply.header(name, headers[name]!);
  if (body.length === 0 || status === RESET_CONTENT) {
    reply.removeHeader('content-type');
    if (status !== NOT_MODIFIED && status !== NO_CONTENT) reply.header('content-length', '0');
    return reply.send();
  }
  const type = headers['content-type'];
  const isJson = type !== undefined && JSON_TYPE.test(type);
  reply.header('content-type', isJson ? type : 'application/octet-stream');
  if (!isJson) reply.header('content-disposition', 'attachment');
  return reply.header('content-length', String(body.length)).send(body);
}

async function read(
  router: ChainRouter,
  request: FastifyRequest,
  { raw }: FastifyReply,
): Promise<RoutedAnswer> {
  const node = request.namedNode;
  const { headers } = request.raw;
  const cancellation = new Cancellation();
  raw.on('close', () => {
    if (!raw.writableFinished) cancellation.cancel();
  });
  const asked: NodeRequest = {
    method: 'GET',
    path: request.raw.url!,
    headers: pickRequestHeaders('GET', headers),
  };
  const { attempts } = request;
  const seenHeight = seenBy(headers[HEIGHT]);
  if (node === null) return router.read(asked, { cancellation, seenHeight, attempts });
  return router.readFrom(node, asked, { cancellation, attempts });
}

function seenBy(header: string | string[] | undefined): bigint | undefined {
  return typeof header === 'string' && DIGITS.test(header) ? BigInt(header) : undefined;
}

/**
 * The request continues when the client leaves, because the node may have accepted the transaction already.
 */
async function submit(
  router: ChainRouter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RoutedAnswer> {
  const asked: NodeRequest = {
    method: 'POST',
    path: request.raw.url!,
    headers: pickRequestHeaders('POST', request.raw.headers),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
  const node = request.namedNode;
  if (node === null) return router.submit(asked, request.attempts);
  if (node.role !== 'full') {
    reply.header('allow', 'GET, HEAD');
    throw new RequestError(405, 'Archival nodes do not accept transactions');
  }
  return router.submit(asked, request.attempts, [node]);
}
