import type { FastifyReply } from 'fastify';
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

/** Sends a node's response to the client. Fastify omits the body for HEAD. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: NodeAnswer): FastifyReply {
  reply.code(status).header('content-security-policy', CONTENT_POLICY);
  for (const name in headers) if (name !== 'content-type') reply.header(name, headers[name]!);
  if (body.length === 0 || status === RESET_CONTENT) {
    reply.removeHeader('content-type');
    if (status !== NOT_MODIFIED && status !== NO_CONTENT) reply.header('content-length', '0');
    return reply.send();
  }
  const type = headers['content-type'];
  const isJson = type !== undefined && JSON_TYPE.test(type);
  reply.header('content-type', isJson ? type : 'application/octet-stream');
  if (!isJson) reply.header('content-disposition', 'attachment');
  return reply.header('content-length', String(body.length)).send(body);
}
