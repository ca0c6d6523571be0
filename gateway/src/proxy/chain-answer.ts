import type { FastifyReply } from 'fastify';
import type { NodeAnswer } from '../upstream/exchange.js';
import { discard, isEmpty } from './answer-body.js';

const JSON_TYPE = /^application\/json(?:\s*;|$)/i;
/** Nodes are not trusted, and the origin of their answers also serves a wallet: nothing of theirs is ever a page of it. */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Passes a node's answer on; a HEAD request gets the head alone. */
export function sendAnswer(reply: FastifyReply, answer: NodeAnswer): FastifyReply {
  const { status, headers, body, contentLength } = answer;
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
