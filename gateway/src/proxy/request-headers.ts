import type { IncomingHttpHeaders } from 'node:http';
import { namesIn } from '../upstream/answer-headers.js';

/** The request headers that are passed to nodes: no keys, cookies or client addresses. */
const READ_HEADERS = ['accept', 'accept-encoding', 'if-none-match'] as const;
const SUBMIT_HEADERS = ['accept', 'accept-encoding', 'content-type'] as const;

/** Marks forwarded requests, to detect loops (RFC 9110 §7.6.3). */
export const VIA = '1.1 zbc-gateway';

/** Alternating names and values. */
export function pickRequestHeaders(method: 'GET' | 'POST', headers: IncomingHttpHeaders): string[] {
  const dropped = headers.connection === undefined ? [] : namesIn(headers.connection);
  const picked = ['via', VIA];
  for (const name of method === 'GET' ? READ_HEADERS : SUBMIT_HEADERS) {
    const value = headers[name];
    if (value !== undefined && !dropped.includes(name)) picked.push(name, value);
  }
  return picked;
}
