import type { FastifyBaseLogger, FastifyRequest, FastifyServerOptions } from 'fastify';
import { nodeKey } from '../base/node-address.js';
import { type AnsweredRequest, pathOf } from './answered-requests.js';

/** Logs one line per request, without query, body and headers. The logger omits what is undefined. */
export function requestLog(log: FastifyBaseLogger): (answered: AnsweredRequest) => void {
  return ({ id, method, path, status, milliseconds, bytes, ip, node, attempts }) => {
    const ms = Math.round(milliseconds);
    const answered = node === null ? undefined : nodeKey(node);
    const upstream_ms = attempts.length === 0 ? undefined : upstreamMs(attempts);
    const others = attempts.filter(attempt => attempt.node !== node);
    const tried =
      others.length === 0 ? undefined : others.map(each => `${nodeKey(each.node)} ${each.result}`);
    log.info({ id, method, path, status, ms, bytes, ip, node: answered, upstream_ms, tried }, 'request');
  };
}

/** The time from the first request to a node to the last answer. */
function upstreamMs(attempts: AnsweredRequest['attempts']): number {
  const endMs = Math.max(...attempts.map(attempt => attempt.endMs));
  return Math.round(endMs - Math.min(...attempts.map(({ startMs }) => startMs)));
}

/** Restricts what Fastify itself logs about a request. */
export const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
};

export type LoggerOption = FastifyServerOptions['logger'];
