import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { nodeKey } from '../base/node-address.js';
import type { KnownNode } from '../nodes/known-node.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The node whose response was sent. */
    answeredBy: KnownNode | null;
    /** Requests to nodes that were made for this request and have ended, the first one first. */
    attempts: Attempt[];
  }
}

/** A request to a node that has ended. */
export interface Attempt {
  node: KnownNode;
  /** One of few words, so that they can be the label of a metric. */
  result: string;
  startMs: number;
  endMs: number;
}

/** A finished request. */
export interface AnsweredRequest {
  /** Unique in the process. */
  id: string;
  method: string;
  /** The path without the query. */
  path: string;
  /** The registered route, with parameter names; `none` if no route matches. */
  route: string;
  ip: string;
  /** The node whose response was sent. */
  node: KnownNode | null;
  attempts: readonly Attempt[];
  /** The status is 499 if the client disconnected before the response started. */
  status: number;
  /** Bytes of the response body; 0 if it was not sent completely. */
  bytes: number;
  /** Time since the request arrived. */
  milliseconds: number;
  /**
   * Whether `milliseconds` measures the gateway: false if the request waited on purpose, or if the client
   * left before the response started.
   */
  isTimed: boolean;
}

type IpOf = (request: IncomingMessage) => string;

type Listener = (answered: AnsweredRequest) => void;

const CLIENT_HAS_LEFT = 499;

/**
 * Reports every request after its response was sent or its client has left. Fastify's onResponse hook is not
 * called if the client left.
 */
export class AnsweredRequests {
  readonly #listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /**
   * Must be called before other hooks are added, because they may reject requests. `ipOf` returns the
   * client's address.
   */
  follow(app: FastifyInstance, ipOf: IpOf = ({ socket }) => socket.remoteAddress ?? ''): void {
    app.decorateRequest('answeredBy', null);
    app.decorateRequest('attempts');
    app.addHook('onRequest', (request, reply, done) => {
      request.attempts = [];
      const startMs = performance.now();
      // The address disappears with the connection, so it is read now.
      const ip = ipOf(request.raw);
      const { socket } = request.raw;
      // A half-closed connection may mean that the client has left. Therefore requests that wait on purpose
      // end; all others are still answered.
      const leave = () => void socket.destroy();
      const isWaiting = asksToWait(request);
      if (isWaiting) socket.once('end', leave);
      reply.raw.on('close', () => {
        if (isWaiting) socket.off('end', leave);
        const { headersSent, writableFinished } = reply.raw;
        const status = headersSent ? reply.statusCode : CLIENT_HAS_LEFT;
        const isWhole = writableFinished && request.method !== 'HEAD';
        this.#report({
          id: request.id,
          ip,
          method: request.method,
          path: pathOf(request),
          route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
          node: request.answeredBy,
          attempts: request.attempts,
          status,
          bytes: isWhole ? Number(reply.getHeader('content-length') ?? 0) : 0,
          milliseconds: performance.now() - startMs,
          isTimed: status !== CLIENT_HAS_LEFT && !isWaiting,
        });
      });
      done();
    });
  }

  /** Reports refused input that was not a valid request. */
  reportMalformed(status: number, ip: string): void {
    const unknown = { id: 'none', method: 'none', path: 'none', route: 'none', node: null, attempts: [] };
    this.#report({ ...unknown, ip, status, bytes: 0, milliseconds: 0, isTimed: false });
  }

  #report(answered: AnsweredRequest): void {
    for (const listener of this.#listeners) listener(answered);
  }
}

function asksToWait({ query }: FastifyRequest): boolean {
  return 'wait_ms' in Object(query);
}

/** The path as the client sent it, without the query. */
function pathOf({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string {
  return originalUrl.split('?', 1)[0]!;
}

/** Logs one line per request, without query, body and headers. The logger omits what is undefined. */
export function requestLog(log: FastifyBaseLogger): Listener {
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
