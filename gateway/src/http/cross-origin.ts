import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
    const known = reply.getHeader('vary');
    if (isShared(request)) reply.header('vary', known === undefined ? 'origin' : `${known}, origin`);
    done(null, payload);
  });
}

/** Whether this is the preflight of a page that may read the response. */
export function isPreflight({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers && reply.hasHeader(ALLOWED);
}

/** Answers a preflight, which is a request like any other until then. */
export function sendPreflight(reply: FastifyReply): FastifyReply {
  reply.removeHeader('content-type').headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
  return reply.code(204).send();
}
