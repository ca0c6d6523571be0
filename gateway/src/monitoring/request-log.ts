import type { FastifyBaseLogger, FastifyRequest, FastifyServerOptions } from 'fastify';
import { nodeKey } from '../base/node-address.js';
import { type AnsweredRequest, pathOf } from './answered-requests.js';

/** Logs one line per request, without query, body and headers. */
export function requestLog(log: FastifyBaseLogger): (answered: AnsweredRequest) => void {
  return ({ id, method, path, status, milliseconds, bytes, ip, node, attempts }) => {
    const line = { id, method, path, status, ms: Math.round(milliseconds), bytes, ip };
    log.info(attempts.length === 0 ? line : { ...line, ...upstreamPart(node, attempts) }, 'request');
  };
}

/**
 * Returns the node that answered, the time from the first request to a node to the last answer, and the other
 * nodes with what came of them.
 */
function upstreamPart(node: AnsweredRequest['node'], attempts: AnsweredRequest['attempts']) {
  const answered = node === null ? undefined : nodeKey(node);
  const others = attempts.filter(attempt => attempt.node !== answered);
  const endMs = Math.max(...attempts.map(attempt => attempt.endMs));
  return {
    ...(answered !== undefined && { node: answered }),
    upstream_ms: Math.round(endMs - Math.min(...attempts.map(({ startMs }) => startMs))),
    ...(others.length > 0 && { tried: others.map(({ node: other, result }) => `${other} ${result}`) }),
  };
}

/** Restricts what Fastify itself logs about a request. */
export const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
};

export type LoggerOption = FastifyServerOptions['logger'];
