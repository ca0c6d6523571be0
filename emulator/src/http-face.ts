import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { guardAgainstPages } from './cors.js';
import { EmulatorError } from './errors.js';
import { compileLazily } from './lazy-validation.js';

const BODY_LIMIT = 64 * 1024;
/** Zemu repeats a POST whose connection was reset, which would press a button twice: idle connections stay open. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const PROPERTY_NAME = /^[\w-]{1,40}$/;

/**
 * A Fastify server of the emulator's manners: bodies are JSON whatever the content type, a property that a schema does not
 * name is an error, every error is `{"error": …}` without a stack, and only loopback pages may call it.
 * `host` is what it will be bound to.
 */
export function createHttpFace(host?: string): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    schemaErrorFormatter: ([first], part) => new Error(describeMistake(first, part)),
  });
  server.setValidatorCompiler(compileLazily);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, server.getDefaultJsonParser('error', 'error'));
  server.addHook('onRequest', guardAgainstPages(host));
  server.addHook('onRequest', async ({ raw: { headers } }) => {
    // Or Fastify turns away a type that it cannot read, and a DELETE that names one and has no body.
    delete headers['content-type'];
  });
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'no such resource' }));
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    const told = status < 500 || error instanceof EmulatorError;
    return reply.code(status).send({ error: told ? error.message : 'internal error' });
  });
  return server;
}

interface SchemaMistake {
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

function describeMistake(mistake: SchemaMistake | undefined, part: string): string {
  const property = mistake?.params.additionalProperty;
  if (property === undefined)
    return `${part}${mistake?.instancePath ?? ''} ${mistake?.message ?? 'is invalid'}`;
  return PROPERTY_NAME.test(String(property)) ? `unknown property "${property}"` : 'unknown property';
}
