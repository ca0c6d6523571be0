import type { FastifyReply } from 'fastify';
import { NodeFault } from '../upstream/node-fault.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { discard, isEmpty } from './answer-body.js';
import { faultError } from './routing-errors.js';

const JSON_TYPE = /^application\/json(?:\s*;|$)/i;
/** Nodes are not trusted and the origin may serve a wallet: browsers must not render their responses. */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Sends a node's response to the client, without its body for HEAD. */
export function sendAnswer(reply: FastifyReply, answer: NodeAnswer): FastifyReply {
  const { status, headers, body, contentLength } = answer;
  if (!Buffer.isBuffer(body) && body.errored instanceof NodeFault) throw faultError(body.errored);
  reply.code(status).header('content-security-policy', CONTENT_POLICY);
  for (const name in headers) reply.header(name, headers[name]);
  if (isEmpty(answer)) return reply.removeHeader('content-type').send();
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    reply.header('content-type', 'application/octet-stream').header('content-disposition', 'attachment');
  }
  if (Buffer.isBuffer(body)) return reply.send(body);
  if (contentLength !== undefined) reply.header('content-length', contentLength);
  if (reply.request.method !== 'HEAD') return reply.send(body);
  discard(answer);
  return reply.send();
}
