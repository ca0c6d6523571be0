import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import { sendError } from '../http/json-app.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { NodeAnswer, NodeRequest } from '../upstream/node-request.js';
import { isEmpty } from './answer-body.js';
import { AnswerCoder } from './answer-coder.js';
import { sendAnswer } from './chain-answer.js';
import type { ChainRouter } from './chain-router.js';
import type { FixedReads } from './fixed-reads.js';
import type { RoutedAnswer } from './read-answers.js';
import { CHAIN_PREFIX } from './request-checks.js';
import { pickRequestHeaders } from './request-headers.js';

interface ChainReads {
  router: ChainRouter;
  fixedReads: FixedReads;
}

/** Of a response, the height of its node; of a request, the greatest that the client has seen. */
export const HEIGHT = 'zbc-height';
export const CHAIN_ROUTE = `${CHAIN_PREFIX}*`;
const DIGITS = /^\d{1,19}$/;

/** Routes everything under `/api/v1/` to nodes; `retryAfterSeconds` is the Retry-After of a 503. */
export function addChainRoutes(app: FastifyInstance, reads: ChainReads, retryAfterSeconds: number): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route({
      method: ['GET', 'HEAD'],
      url: CHAIN_ROUTE,
      handler: answerWith(reads, retryAfterSeconds, read),
    });
    scope.route({
      method: 'POST',
      url: CHAIN_ROUTE,
      handler: answerWith(reads, retryAfterSeconds, submit),
    });
  });
}

/** An answer from memory is there at once. */
type Send = (
  reads: ChainReads,
  request: FastifyRequest,
  reply: FastifyReply,
) => RoutedAnswer | Promise<RoutedAnswer>;

function answerWith({ router, fixedReads }: ChainReads, retryAfterSeconds: number, send: Send) {
  const coder = new AnswerCoder();
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const answer = (routed: RoutedAnswer) => sendRouted({ router, coder }, request, reply, routed);
    const refuse = (error: unknown) => sendRefusal(reply, error, retryAfterSeconds);
    const routed = send({ router, fixedReads }, request, reply);
    return routed instanceof Promise ? routed.then(answer).catch(refuse) : answer(routed);
  };
}

interface Sending {
  router: ChainRouter;
  coder: AnswerCoder;
}

/** Requests to one node get what it sends. */
function sendRouted(
  { router, coder }: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
  { node, answer }: RoutedAnswer,
): FastifyReply {
  request.answeredBy = node;
  const height = router.heightOf(node);
  if (height !== undefined) reply.header(HEIGHT, String(height));
  if (request.namedNode !== null) return sendAnswer(reply, answer);
  const isFailure = answer.status === 404 || answer.status >= 500;
  if (isFailure && isEmpty(answer)) return sendExplained(reply, answer);
  return sendAnswer(reply, coder.code(answer, request.headers['accept-encoding']));
}

function sendRefusal(reply: FastifyReply, error: unknown, retryAfterSeconds: number): FastifyReply {
  if (!(error instanceof RequestError)) throw error;
  if (error.statusCode === 503) reply.header('retry-after', retryAfterSeconds);
  if (error.statusCode === 405) reply.header('allow', 'GET, HEAD');
  return sendError(reply, error.statusCode, error.message);
}

/** Adds an error body to a failure without one; not for requests to one node. */
function sendExplained(reply: FastifyReply, { status, headers }: NodeAnswer): FastifyReply {
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return sendError(reply, status, status === 404 ? 'Not found on any node' : `The node returned ${status}`);
}

function read(
  { router, fixedReads }: ChainReads,
  request: FastifyRequest,
  { raw }: FastifyReply,
): RoutedAnswer | Promise<RoutedAnswer> {
  const node = request.namedNode;
  const path = request.raw.url!;
  const { headers } = request.raw;
  const kept = node === null ? fixedReads.recall(path, headers) : undefined;
  if (kept !== undefined) return kept;
  const cancellation = new Cancellation();
  raw.on('close', () => {
    if (!raw.writableFinished) cancellation.cancel();
  });
  const seenHeight = seenBy(headers[HEIGHT]);
  const fixed = node === null ? fixedReads.read({ path, headers, cancellation, seenHeight }) : undefined;
  if (fixed !== undefined) return fixed;
  const asked: NodeRequest = { method: 'GET', path, headers: pickRequestHeaders('GET', headers) };
  return node === null
    ? router.read(asked, { cancellation, seenHeight })
    : router.readFrom(node, asked, { cancellation });
}

function seenBy(header: string | string[] | undefined): bigint | undefined {
  return typeof header === 'string' && DIGITS.test(header) ? BigInt(header) : undefined;
}

/** Continues when the client leaves, as the node may have accepted the transaction already. */
async function submit({ router }: ChainReads, request: FastifyRequest): Promise<RoutedAnswer> {
  const asked: NodeRequest = {
    method: 'POST',
    path: request.raw.url!,
    headers: pickRequestHeaders('POST', request.raw.headers),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
  const node = request.namedNode;
  if (node === null) return router.submit(asked);
  if (node.role !== 'full') throw new RequestError(405, 'Archival nodes do not accept transactions');
  return router.submitTo(node, asked);
}
