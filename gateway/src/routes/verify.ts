import type { FastifyInstance } from 'fastify';
import { RequestError } from '../base/errors.js';
import { findRelease } from '../files/published-releases.js';
import type { GatewayContext } from '../gateway-context.js';
import { readPage, sendPage, wantsPage } from '../pages/page.js';

const SHA256 = /^[0-9a-f]{64}$/i;

interface HashQuery {
  Querystring: { sha256?: unknown };
}

/**
 * `GET /verify?sha256=HEX` reports whether the chain publishes a file with this hash. Without a hash,
 * browsers get a page that computes the hash of a file.
 */
export function addVerifyRoute(app: FastifyInstance, context: GatewayContext): void {
  app.get<HashQuery>('/verify', async (request, reply) => {
    reply.header('vary', 'accept');
    const { sha256 } = request.query;
    if (sha256 === undefined && wantsPage(request)) {
      return sendPage(reply, await readPage('verify'));
    }
    return verify(context, sha256);
  });
}

/** Looks up a hash. The installer expects the first two keys in this order. */
async function verify(context: GatewayContext, query: unknown) {
  if (typeof query !== 'string' || !SHA256.test(query)) {
    throw new RequestError(400, "The query parameter sha256 must be the 64 hex digits of a file's SHA-256");
  }
  const sha256 = query.toLowerCase();
  const found = findRelease(await readReleases(context), sha256);
  if (found === undefined) return { sha256, published: false };
  const { releasedAt, ...file } = found;
  return { sha256, published: true, release: { ...file, released_at: releasedAt } };
}

/**
 * Reads the list of releases. Throws RequestError 503 if the nodes have no such route, because the hash may
 * nevertheless be published.
 */
async function readReleases(context: GatewayContext): Promise<unknown> {
  try {
    return await context.readChain('/api/v1/release/list');
  } catch (error) {
    throw error instanceof RequestError && error.statusCode === 404
      ? new RequestError(503, 'The release list is not available')
      : error;
  }
}
