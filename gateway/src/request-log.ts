import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Traffic } from './traffic.js';
import { nodeKey } from './upstream/node-address.js';

/** One line a request; never a query, a body or a header. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const node = request.answeredBy;
    request.log.info(
      {
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: request.ip,
        ...(node && { node: nodeKey(node) }),
      },
      'request',
    );
    done();
  });
}

export function addTrafficCount(app: FastifyInstance, traffic: Traffic): void {
  app.addHook('onResponse', (request, reply, done) => {
    const length = request.method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0);
    traffic.countAnswer(reply.statusCode, length);
    done();
  });
}

/** What the framework may say of a request in lines of its own. */
export const LOG_SERIALIZERS = {
  req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
};

function pathOf({ raw }: FastifyRequest): string {
  return raw.url!.split('?', 1)[0]!;
}

export type LoggerOption = FastifyServerOptions['logger'];
