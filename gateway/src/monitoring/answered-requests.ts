import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A request that is over. */
export interface AnsweredRequest {
  request: FastifyRequest;
  /** 499 when the client has left before the answer began. */
  status: number;
  /** Of the answer's body; 0 when it did not go out whole. */
  bytes: number;
  /** Since the request came. */
  milliseconds: number;
}

type Listener = (answered: AnsweredRequest) => void;

const CLIENT_HAS_LEFT = 499;

/** Tells of every request when its answer has gone out or its client has left; the framework's own hook is silent about the latter. */
export class AnsweredRequests {
  readonly #listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Call it before other hooks are added: those may refuse requests. */
  follow(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      const startMs = performance.now();
      reply.raw.on('close', () => this.#tell(request, reply, performance.now() - startMs));
      done();
    });
  }

  #tell(request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
    const { headersSent, writableFinished } = reply.raw;
    const status = headersSent ? reply.statusCode : CLIENT_HAS_LEFT;
    const isWhole = writableFinished && request.method !== 'HEAD';
    const bytes = isWhole ? Number(reply.getHeader('content-length') ?? 0) : 0;
    for (const listener of this.#listeners) listener({ request, status, bytes, milliseconds });
  }
}
