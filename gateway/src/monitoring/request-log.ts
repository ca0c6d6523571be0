import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import { nodeKey } from '../base/node-address.js';
import type { AnsweredRequest } from './answered-requests.js';

/** Logs one line per request, without query, body and headers. */
export function logRequest({ request, status, milliseconds }: AnsweredRequest): void {
  const node = request.answeredBy;
  const line = {
    method: request.method,
    path: pathOf(request),
    status,
    ms: Math.round(milliseconds),
    ip: request.ip,
  };
  request.log.info(node === null ? line : { ...line, node: nodeKey(node) }, 'request');
}

/** Limits what Fastify logs of a request. */
export const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
};

function pathOf({ originalUrl }: FastifyRequest): string {
  const mark = originalUrl.indexOf('?');
  return mark === -1 ? originalUrl : originalUrl.slice(0, mark);
}

export type LoggerOption = FastifyServerOptions['logger'];
