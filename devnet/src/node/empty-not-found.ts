import { RequestError } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';

/** 404 with an empty body: another kind of node may have it (docs/gateway/routing.md#chain-routes). */
export class EmptyNotFoundError extends RequestError {
  override readonly name = 'EmptyNotFoundError';

  constructor() {
    super(404, 'Not found on this kind of node');
  }
}

/** The value; throws EmptyNotFoundError for undefined. */
export function foundOrEmpty<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new EmptyNotFoundError();
  }
  return value;
}

/** Answers unknown routes and methods before any of the request is read. */
export function answerEmptyNotFound(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) {
      return reply.code(404).removeHeader('content-type').send();
    }
  });
}

/** Registers routes whose handlers may throw EmptyNotFoundError. */
export function addRoutes(app: FastifyInstance, add: (routes: FastifyInstance) => void): void {
  app.register(async routes => {
    routes.setErrorHandler((error, _request, reply) => {
      if (error instanceof EmptyNotFoundError) {
        return reply.code(404).removeHeader('content-type').send();
      }
      throw error;
    });
    add(routes);
  });
}
