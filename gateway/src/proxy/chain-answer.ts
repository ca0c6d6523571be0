import type { FastifyReply } from 'fastify';
import { JSON_HEADERS } from '../http/json-app.js';
import { NodeFault } from '../upstream/node-fault.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { discard, isEmpty } from './answer-body.js';
import { faultError } from './routing-errors.js';

const JSON_TYPE = /^application\/json(?:\s*;|$)/i;
/** Nodes are not trusted and the origin may serve a wallet: browsers must not render their responses. */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const UNKNOWN_TYPE = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };

/** The head that `sendAnswer` makes of a whole answer, as alternating names and values. */
export function headOf({ headers, body }: NodeAnswer & { body: Buffer }): string[] {
  const type = headers['content-type'];
  const all: Record<string, string> = {
    ...JSON_HEADERS,
    'content-security-policy': CONTENT_POLICY,
    ...headers,
  };
  if (!JSON_TYPE.test(type ?? '')) Object.assign(all, UNKNOWN_TYPE);
  return Object.entries({ ...all, 'content-length': String(body.length) }).flat();
}

/** Sends a node's response to the client, without its body for HEAD. */
export function sendAnswer(reply: FastifyReply, answer: NodeAnswer): FastifyReply {
  const { status, headers, body, contentLength } = answer;
  if (!Buffer.isBuffer(body) && body.errored instanceof NodeFault) throw faultError(body.errored);
  reply.code(status).header('content-security-policy', CONTENT_POLICY);
  for (const name in headers) reply.header(name, headers[name]);
  if (isEmpty(answer)) return reply.removeHeader('content-type').send();
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) reply.headers(UNKNOWN_TYPE);
  if (Buffer.isBuffer(body)) return reply.send(body);
  if (contentLength !== undefined) reply.header('content-length', contentLength);
  if (reply.request.method !== 'HEAD') return reply.send(body);
  discard(answer);
  return reply.send();
}
