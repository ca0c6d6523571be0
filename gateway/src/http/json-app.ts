import { isUtf8 } from 'node:buffer';
import { formatJson, parseJson } from '@zbc-signer/chain';
import type { ErrorObject } from 'ajv';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
} from 'fastify';
import { errorBody, RequestError } from '../base/errors.js';
import { ajv, describeFault } from '../base/validation.js';

const MAX_BODY_BYTES = 65_536;
const REQUEST_TIMEOUT_MS = 10_000;
/** Maximum length of a path parameter: an account address with a separator after each character must fit. */
const MAX_PATH_PARAMETER = 256;

/** Headers of every response whose route sets no others. */
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Messages that replace Fastify's own. */
const MESSAGES = new Map([
  [400, 'Bad request'],
  [413, `Request body is larger than ${MAX_BODY_BYTES} bytes`],
  [415, 'Request body must be application/json'],
]);

/**
 * Creates a Fastify app without routes. It reads and writes JSON with bigint, and answers every failure with
 * an error body.
 */
export function createJsonApp(
  onError: (error: Error) => void,
  options: FastifyServerOptions = {},
): FastifyInstance {
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    frameworkErrors: (error, _request, reply) => void sendFailure(error, reply, onError),
    ...options,
  });
  // Otherwise Node drops the header lines above its limit, but still uses them to find the end of the
  // request.
  app.server.maxHeadersCount = 0;
  setJson(app);
  app.setErrorHandler((error: FastifyError, _request, reply) => sendFailure(error, reply, onError));
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'No such route'));
  return app;
}

function setJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => parseBody(body),
  );
  app.setReplySerializer(formatJson);
  // The schemas of responses describe them in the OpenAPI document only.
  app.setSerializerCompiler(() => formatJson);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = ajv.compile(schema);
    return sent => {
      // The validator knows only numbers, and no integer of these bodies is above 2^53.
      const value: unknown = httpPart === 'body' && sent ? JSON.parse(formatJson(sent)) : sent;
      return validate(value) ? { value } : { error: validate.errors ?? [] };
    };
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(JSON_HEADERS);
    done();
  });
}

/**
 * Parses a request body; returns undefined if it is empty. Throws RequestError 400 for a body that is not
 * JSON in UTF-8 (RFC 8259 §8.1).
 */
function parseBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  // Decoding would silently replace invalid bytes.
  if (!isUtf8(body)) throw new RequestError(400, 'Request body is not valid UTF-8');
  try {
    return parseJson(body.toString());
  } catch {
    throw new RequestError(400, 'Request body is not valid JSON');
  }
}

function sendFailure(error: FastifyError | Error, reply: FastifyReply, onError: (error: Error) => void) {
  if ('validation' in error && error.validation?.[0] !== undefined) {
    const whole = error.validationContext === 'body' ? 'Request body' : 'The query';
    return sendError(reply, 400, describeFault(error.validation[0] as ErrorObject, whole));
  }
  const statusCode = ('statusCode' in error && error.statusCode) || 500;
  if (error instanceof RequestError) return sendError(reply, statusCode, error.message);
  if (statusCode < 500) return sendError(reply, statusCode, MESSAGES.get(statusCode) ?? 'Bad request');
  onError(error);
  return sendError(reply, 500, 'Internal error');
}

/** Answers with the error body of the chain API. */
export function sendError(reply: FastifyReply, statusCode: number, message: string): FastifyReply {
  return reply.code(statusCode).type('application/json; charset=utf-8').send(errorBody(statusCode, message));
}
