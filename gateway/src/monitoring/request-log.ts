import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import { nodeKey } from '../upstream/node-address.js';
import type { AnsweredRequest } from './answered-requests.js';

/** One line a request; never a query, a body or a header. */
export function logRequest({ request, status, milliseconds }: AnsweredRequest): void {
  const node = request.answeredBy;
  request.log.info(
    {
      method: request.method,
      path: pathOf(request),
      status,
      ms: Math.round(milliseconds),
      ip: request.ip,
      ...(node && { node: nodeKey(node) }),
    },
    'request',
  );
}

/** What the framework may say of a request in lines of its own. */
export const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
};

function pathOf({ originalUrl }: FastifyRequest): string {
  return originalUrl.split('?', 1)[0]!;
}

export type LoggerOption = FastifyServerOptions['logger'];
