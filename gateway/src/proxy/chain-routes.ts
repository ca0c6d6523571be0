import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../errors.js';
import { sendError } from '../http/json-app.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { NodeAnswer, NodeRequest } from '../upstream/exchange.js';
import type { KnownNode } from '../upstream/node-directory.js';
import { isEmpty } from './answer-body.js';
import { sendAnswer } from './chain-answer.js';
import type { ChainRouter } from './chain-router.js';
import type { RoutedAnswer } from './read-answers.js';
import { CHAIN_PREFIX } from './request-checks.js';
import { pickRequestHeaders } from './request-headers.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The node whose answer was passed on. */
    answeredBy: KnownNode | null;
  }
}

/** Everything under `/api/v1/`, which nodes answer; `retryAfterSeconds` is what a client is told to wait when none does. */
export function addChainRoutes(app: FastifyInstance, router: ChainRouter, retryAfterSeconds: number): void {
  app.decorateRequest('answeredBy', null);
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route({
      method: ['GET', 'HEAD'],
      url: `${CHAIN_PREFIX}*`,
      handler: answerWith(router, retryAfterSeconds, read),
    });
    scope.route({
      method: 'POST',
      url: `${CHAIN_PREFIX}*`,
      handler: answerWith(router, retryAfterSeconds, submit),
    });
  });
}

type Ask = (router: ChainRouter, request: FastifyRequest, reply: FastifyReply) => Promise<RoutedAnswer>;

function answerWith(router: ChainRouter, retryAfterSeconds: number, ask: Ask) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      const { node, answer } = await ask(router, request, reply);
      request.answeredBy = node;
      const isFailure = answer.status === 404 || answer.status >= 500;
      const isWordless = isFailure && isEmpty(answer) && request.namedNode === null;
      return isWordless ? putInWords(reply, answer) : sendAnswer(reply, answer);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.statusCode === 503) reply.header('retry-after', retryAfterSeconds);
      if (error.statusCode === 405) reply.header('allow', 'GET, HEAD');
      return sendError(reply, error.statusCode, error.message);
    }
  };
}

/** Every failure has an error body, but where one node is asked for by its name. */
function putInWords(reply: FastifyReply, { status, headers }: NodeAnswer): FastifyReply {
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return sendError(reply, status, status === 404 ? 'No node knows this' : `The node answered ${status}`);
}

function read(router: ChainRouter, request: FastifyRequest, { raw }: FastifyReply): Promise<RoutedAnswer> {
  const cancellation = new Cancellation();
  raw.on('close', () => {
    if (!raw.writableFinished) cancellation.cancel();
  });
  const asked: NodeRequest = {
    method: 'GET',
    path: request.raw.url!,
    headers: pickRequestHeaders('GET', request.raw.headers),
  };
  const node = request.namedNode;
  return node === null ? router.read(asked, cancellation) : router.readFrom(node, asked, cancellation);
}

/** Goes on when the client leaves: the node may have the transaction already, and would not give it back. */
async function submit(router: ChainRouter, request: FastifyRequest): Promise<RoutedAnswer> {
  const asked: NodeRequest = {
    method: 'POST',
    path: request.raw.url!,
    headers: pickRequestHeaders('POST', request.raw.headers),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
  const node = request.namedNode;
  if (node === null) return router.submit(asked);
  if (node.role !== 'full') throw new RequestError(405, 'An archival node takes no transactions');
  return router.submitTo(node, asked);
}
