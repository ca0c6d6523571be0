import type { FastifyInstance } from 'fastify';
import { RequestError } from '../errors.js';

/** What this kind of node does not have and the other kind may: 404 with an empty body (interface.md "Routing"). */
export class ElsewhereError extends RequestError {
  constructor() {
    super(404, 'Ask another kind of node');
    this.name = 'ElsewhereError';
  }
}

/** What was found, or the empty 404. */
export function foundHere<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new ElsewhereError();
  }
  return value;
}

/** Answers every route and method that there is not before anything of the request is read. */
export function answerElsewhere(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) {
      return reply.code(404).removeHeader('content-type').send();
    }
  });
}

/** Registers routes that may throw ElsewhereError. */
export function addRoutes(app: FastifyInstance, add: (routes: FastifyInstance) => void): void {
  app.register(async routes => {
    routes.setErrorHandler((error, _request, reply) => {
      if (error instanceof ElsewhereError) {
        return reply.code(404).removeHeader('content-type').send();
      }
      throw error;
    });
    add(routes);
  });
}
