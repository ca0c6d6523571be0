import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import { sendError } from '../http/json-app.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { NodeRequest } from '../upstream/node-request.js';
import { sendAnswer } from './chain-response.js';
import type { ChainRouter } from './chain-router.js';
import type { RoutedAnswer } from './combined-outcomes.js';
import { CHAIN_PREFIX } from './request-checks.js';
import { pickRequestHeaders } from './request-headers.js';

/**
 * In a response, this header is the height of the node that gave it; in a request, the greatest height that
 * the client has seen.
 */
const HEIGHT = 'zbc-height';
/** This header of a response gives the rule by which the node was chosen. */
const ANSWERED_BY = 'zbc-answered-by';
const CHAIN_ROUTE = `${CHAIN_PREFIX}*`;
const DIGITS = /^\d{1,19}$/;

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
  { node, answer, by }: RoutedAnswer,
): FastifyReply {
  request.answeredBy = node;
  const height = router.heightOf(node);
  if (height !== undefined) reply.header(HEIGHT, String(height));
  reply.header(ANSWERED_BY, by);
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
  return router.submitTo(node, asked, request.attempts);
}
