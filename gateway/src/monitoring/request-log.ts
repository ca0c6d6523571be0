import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import { nodeKey } from '../base/node-address.js';
import type { AnsweredRequest } from './answered-requests.js';

/** Logs one line per request, without query, body and headers. */
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

/** Limits what Fastify logs of a request. */
export const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
};

function pathOf({ originalUrl }: FastifyRequest): string {
  return originalUrl.split('?', 1)[0]!;
}

export type LoggerOption = FastifyServerOptions['logger'];
