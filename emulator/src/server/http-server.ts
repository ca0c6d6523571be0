import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifySchema,
  type FastifySchemaCompiler,
} from 'fastify';
import { EmulatorError } from '../errors.js';
import { type AllowedClients, rejectForeignPages } from './cors.js';

const BODY_LIMIT = 64 * 1024;
const PROPERTY_NAME = /^[\w-]{1,40}$/;

/**
 * A Fastify server that reads every body as JSON, rejects properties that the schema does not have, answers
 * errors with `{"error": …}`, and rejects pages of other machines. `host` is the host on which it
 * listens. Every GET route also answers HEAD.
 */
export function createHttpServer(host?: string, allowed: AllowedClients = {}): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    schemaErrorFormatter: ([first], part) => new Error(describeFault(first, part)),
  });
  server.setValidatorCompiler(compileLazily);
  server.setSerializerCompiler(() => JSON.stringify);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, server.getDefaultJsonParser('error', 'error'));
  server.addHook('onRequest', rejectForeignPages(host, allowed));
  server.addHook('onRequest', async ({ raw: { headers } }) => {
    // Otherwise Fastify would reject unknown types, and a DELETE with a type but no body.
    delete headers['content-type'];
  });
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }));
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    const isReported = status < 500 || error instanceof EmulatorError;
    return reply.code(status).send({ error: isReported ? error.message : 'internal error' });
  });
  return server;
}

let ajv: Ajv | undefined;

/** Loads Fastify's default validator without removal of properties and coercion of types. */
function loadAjv(): Ajv {
  const { Ajv: Validator } = createRequire(import.meta.url)('ajv') as { Ajv: new (options: object) => Ajv };
  return new Validator({ useDefaults: true, removeAdditional: false, coerceTypes: false });
}

/** Compiles a schema on first use: compiling all of them would double the start-up time. */
const compileLazily: FastifySchemaCompiler<FastifySchema> = ({ schema }) => {
  let validate: ValidateFunction | undefined;
  return (document: unknown) => {
    ajv ??= loadAjv();
    validate ??= ajv.compile(schema);
    return validate(document) ? true : { error: validate.errors as ErrorObject[] as never };
  };
};

/** Replaces Fastify's own compiler factories, which it would load although this server sets its compilers. */
function unused(): never {
  throw new Error('unreachable: the server sets its own compilers');
}

interface SchemaFault {
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

function describeFault(fault: SchemaFault | undefined, part: string): string {
  const property = fault?.params.additionalProperty;
  const allowed = fault?.params.allowedValues;
  const values = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const place = `${part}${fault?.instancePath ?? ''}`;
  if (property === undefined) return `${place} ${fault?.message ?? 'is invalid'}${values}`;
  return PROPERTY_NAME.test(String(property)) ? `unknown property "${property}"` : 'unknown property';
}
