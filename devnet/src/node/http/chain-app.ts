import { createJsonApp, RequestError } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';

/**
 * Thrown to answer 404 with an empty body, because another kind of node may have the record
 * (docs/gateway/routing.md#chain-routes).
 */
export class EmptyNotFoundError extends RequestError {
  override readonly name = 'EmptyNotFoundError';

  constructor() {
    super(404, 'Not found on this kind of node');
  }
}

/** Returns the value; throws EmptyNotFoundError if it is undefined. */
export function requireFoundOrEmpty<T>(value: T | undefined): T {
  if (value === undefined) throw new EmptyNotFoundError();
  return value;
}

/**
 * Creates the HTTP interface of a node, with the routes that `add` registers. Their handlers may throw
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

/** Answers requests of unknown routes and methods with an empty 404, before the body is read. */
function answerEmptyNotFound(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return reply.code(404).removeHeader('content-type').send();
  });
}
