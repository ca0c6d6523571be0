import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';

/** The list omits `authorization` and `x-api-key`: pages of other origins never send the admin key. */
const REQUEST_HEADERS = 'content-type, if-none-match, zbc-height';
const RESPONSE_HEADERS =
  'etag, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, zbc-answered-by, zbc-height';
const ALLOWED = 'access-control-allow-origin';
const METHODS = 'GET, HEAD, POST';
const PREFLIGHT_SECONDS = 600;

interface CrossOriginOptions {
  /** Origins as browsers write them. */
  origins: readonly string[];
  /** Whether other origins may use the route. */
  isShared: (request: FastifyRequest) => boolean;
}

/**
 * Lets pages of other origins read the responses of some routes, without cookies and keys
 * (https://fetch.spec.whatwg.org). Must be called before any hook that rejects requests is added, so that
 * pages can also read rejections.
 */
export function addCrossOrigin(app: FastifyInstance, { origins, isShared }: CrossOriginOptions): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (isShared(request) && origin !== undefined && origins.includes(origin)) {
      reply.headers({ [ALLOWED]: origin, 'access-control-expose-headers': RESPONSE_HEADERS });
    }
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isShared(request)) addOriginToVary(reply);
    done(null, payload);
  });
}

function addOriginToVary(reply: FastifyReply): void {
  const known = String(reply.getHeader('vary') ?? '');
  const names = known.split(',').map(name => name.trim().toLowerCase());
  if (names.includes('origin') || names.includes('*')) return;
  reply.header('vary', known === '' ? 'origin' : `${known}, origin`);
}

/**
 * Answers preflight requests, which the request checks refuse only for their method. Must be called after the
 * rate limits are added, so that they count preflights.
 */
export function addPreflights(app: FastifyInstance): void {
  app.addHook('onRequest', ({ method, headers, refusal }, reply, done) => {
    const isMethodRefused = refusal instanceof RequestError && refusal.statusCode === 405;
    const isPreflight = method === 'OPTIONS' && 'access-control-request-method' in headers;
    if (!reply.hasHeader(ALLOWED) || !isMethodRefused || !isPreflight) {
      done();
      return;
    }
    for (const name of ['connection', 'content-type', 'allow']) reply.removeHeader(name);
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
    });
    reply.code(204).send();
  });
}
