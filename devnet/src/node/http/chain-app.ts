import { createJsonApp } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';
import { EmptyNotFoundError } from './empty-not-found.js';

/**
 * The HTTP interface of a node with the routes that `add` registers, whose handlers may throw
 * EmptyNotFoundError.
 */
export function createChainApp(
  onError: (error: Error) => void,
  add: (routes: FastifyInstance) => void,
): FastifyInstance {
  const app = createJsonApp(onError);
  answerEmptyNotFound(app);
  app.register(async routes => {
    routes.setErrorHandler((error, _request, reply) => {
      if (error instanceof EmptyNotFoundError) return reply.code(404).removeHeader('content-type').send();
      throw error;
    });
    add(routes);
  });
  return app;
}

/** Answers unknown routes and methods before any of the request is read. */
function answerEmptyNotFound(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return reply.code(404).removeHeader('content-type').send();
  });
}
