import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../errors.js';
import type { GatewayContext } from '../gateway-context.js';

/**
 * A hook for routes that need the admin key, as `Authorization: Bearer KEY` or `X-API-Key: KEY`: 401 without it, 429 for a
 * client that keeps guessing. Whoever has the key is let in, whatever others at the same address have tried.
 */
export function requireAdminKey({ config }: Pick<GatewayContext, 'config'>) {
  // Digests are of one length, so that the comparison takes as long for a key of any.
  const expected = digest(config.adminApiKey);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = presentedKey(request);
    if (key !== undefined && timingSafeEqual(digest(key), expected)) {
      return;
    }
    if (key !== undefined) {
      await request.server.countAdminFailure?.(request, reply);
    }
    reply.header('www-authenticate', 'Bearer realm="zbc-gateway"');
    throw new RequestError(401, key === undefined ? 'The admin key is needed' : 'The admin key is wrong');
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
