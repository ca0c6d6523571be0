import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';

/**
 * A hook that requires the admin key, as `Authorization: Bearer KEY` or `X-API-Key: KEY`: 401 without it, 429
 * for a client with too many invalid keys. The valid key is always accepted.
 */
export function requireAdminKey({ config }: { config: Pick<GatewayConfig, 'adminApiKey'> }) {
  // Digests have one length, so that the comparison takes constant time.
  const expected = digest(config.adminApiKey);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = presentedKey(request);
    if (key !== undefined && timingSafeEqual(digest(key), expected)) return;
    if (key !== undefined) request.server.countAdminFailure?.(request, reply);
    reply.header('www-authenticate', 'Bearer realm="zbc-gateway"');
    throw new RequestError(401, key === undefined ? 'Admin key required' : 'Invalid admin key');
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
