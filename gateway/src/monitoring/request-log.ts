import type { FastifyBaseLogger, FastifyRequest, FastifyServerOptions } from 'fastify';
import { nodeKey } from '../base/node-address.js';
import { type AnsweredRequest, pathOf } from './answered-requests.js';

/** Logs one line per request, without query, body and headers. */
export function requestLog(log: FastifyBaseLogger): (answered: AnsweredRequest) => void {
  return ({ method, path, status, milliseconds, ip, node }) => {
    const ms = Math.round(milliseconds);
    const line = { method, path, status, ms, ip };
    log.info(node === null ? line : { method, path, status, ms, ip, node: nodeKey(node) }, 'request');
  };
}

/** Restricts what Fastify itself logs about a request. */
export const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
};

export type LoggerOption = FastifyServerOptions['logger'];
