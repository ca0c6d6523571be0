import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import { findRelease } from '../files/published-releases.js';
import type { GatewayContext } from '../gateway-context.js';
import { ASKS_NODES } from '../openapi/document.js';
import { BUNDLE, HASH, UINT64 } from '../openapi/records.js';

const SCHEMA = {
  operationId: 'verify',
  summary: 'Whether the chain publishes a file with this hash',
  tags: [ASKS_NODES],
  querystring: Type.Object({ sha256: Type.String({ format: 'sha256', description: 'SHA-256 of the file' }) }),
  response: {
    200: Type.Object(
      {
        sha256: HASH,
        published: Type.Boolean(),
        release: Type.Optional(Type.Object({ version: Type.String(), ...BUNDLE, released_at: UINT64 })),
      },
      { description: 'The published file with this hash, if there is one' },
    ),
  },
};

/** `GET /verify?sha256=HEX` reports whether the chain publishes a file with this hash. */
export function addVerifyRoute(app: FastifyInstance, context: GatewayContext): void {
  app.get<{ Querystring: { sha256: string } }>('/verify', { schema: SCHEMA }, ({ query }) =>
    verify(context, query.sha256.toLowerCase()),
  );
}

/** Looks up a hash. The installer expects the first two keys in this order. */
async function verify(context: GatewayContext, sha256: string) {
  const release = findRelease(await readReleases(context), sha256);
  return { sha256, published: release !== undefined, release };
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
