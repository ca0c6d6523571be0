import type { IncomingHttpHeaders } from 'node:http';
import { namesIn } from '../upstream/answer-headers.js';

/** What passes from a client to a node. Keys, cookies and addresses of clients are not a node's business. */
const READ_HEADERS = ['accept', 'accept-encoding', 'if-none-match'] as const;
const SUBMIT_HEADERS = ['accept', 'accept-encoding', 'content-type'] as const;

/** By which a gateway knows a request that a gateway already passed on (RFC 9110 §7.6.3). */
export const VIA = '1.1 zbc-gateway';

/** Names and values as they alternate. */
export function pickRequestHeaders(method: 'GET' | 'POST', headers: IncomingHttpHeaders): string[] {
  const dropped = headers.connection === undefined ? [] : namesIn(headers.connection);
  const picked = ['via', VIA];
  for (const name of method === 'GET' ? READ_HEADERS : SUBMIT_HEADERS) {
    const value = headers[name];
    if (value !== undefined && !dropped.includes(name)) picked.push(name, value);
  }
  return picked;
}
