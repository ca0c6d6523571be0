import type { FastifyReply } from 'fastify';
import { errorBody, RequestError } from '../base/errors.js';
import type { NodeAnswer } from '../upstream/node-request.js';

/** A comma would begin a second type, which browsers prefer. */
const JSON_TYPE = /^application\/json(?:\s*;[^,]*)?$/i;
/**
 * Browsers must not render responses of nodes, because nodes are not trusted and the origin may serve a
 * wallet.
 */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
const NOT_MODIFIED = 304;
const NO_CONTENT = 204;
/** A response with this status has no content, but declares its length (RFC 9110 §15.3.6). */
const RESET_CONTENT = 205;

/** A chain route's response, without the parts that depend on the client. */
export interface ChainResponse {
  status: number;
  /** Alternating names and values of headers. Names are lower case and occur once each. */
  lines: string[];
  body: Buffer | string | undefined;
}

/** Converts a node's response to the response for the client. */
export function responseOf({ status, headers, body }: NodeAnswer): ChainResponse {
  const lines = ['x-content-type-options', 'nosniff', 'content-security-policy', CONTENT_POLICY];
  lines.push('cache-control', 'no-store');
  for (const name in headers) if (name !== 'content-type') lines.push(name, headers[name]!);
  if (body.length === 0 || status === RESET_CONTENT) {
    if (status !== NOT_MODIFIED && status !== NO_CONTENT) lines.push('content-length', '0');
    return { status, lines, body: undefined };
  }
  const type = headers['content-type'];
  if (type !== undefined && JSON_TYPE.test(type)) {
    lines.push('content-type', type);
  } else {
    lines.push('content-type', 'application/octet-stream', 'content-disposition', 'attachment');
  }
  lines.push('content-length', String(body.length));
  return { status, lines, body };
}

/** Returns a response with an error body, and with additional header lines. */
export function errorResponse(
  status: number,
  message: string,
  further: readonly string[] = [],
): ChainResponse {
  const body = JSON.stringify(errorBody(status, message));
  const lines = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'];
  lines.push('x-content-type-options', 'nosniff', 'content-length', String(Buffer.byteLength(body)));
  return { status, lines: [...lines, ...further], body };
}

/** Returns the response for a RequestError. Rethrows any other error. */
export function refusalResponse(refusal: unknown): ChainResponse {
  if (!(refusal instanceof RequestError)) throw refusal;
  const further = refusal.statusCode === 405 ? ['allow', 'GET, HEAD'] : [];
  return errorResponse(refusal.statusCode, refusal.message, further);
}

/** Sends the response with Fastify, which omits the body for HEAD. */
export function sendResponse(reply: FastifyReply, { status, lines, body }: ChainResponse): FastifyReply {
  reply.code(status).removeHeader('content-type');
  for (let index = 0; index < lines.length; index += 2) reply.header(lines[index]!, lines[index + 1]!);
  return reply.send(body);
}
