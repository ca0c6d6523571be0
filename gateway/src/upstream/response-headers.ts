import type { IncomingHttpHeaders } from 'node:http';
import { malformed } from './node-fault.js';

const RETRY_AFTER = 'retry-after';
/**
 * The response headers of a node that are passed to clients. Caching headers are not among them: only the
 * gateway decides about caching, because a copy must not outlive the trust in its node.
 */
const PASSED = ['content-type', 'content-encoding', 'etag', 'last-modified', RETRY_AFTER, 'vary'];
/** The longest Retry-After that a client gets. */
export const MAX_RETRY_SECONDS = 60;
const SECONDS = /^\d{1,9}$/;
const VISIBLE = /^[\x20-\x7e]*$/;

interface ResponseHeaders {
  /** Passed headers by lower-case name. */
  passed: Record<string, string>;
  /** 0 if it is not announced. */
  contentLength: number;
}

/**
 * Reads the headers of a response. If a header occurs several times, the first value is used. Throws NodeFault
 * for a transfer encoding other than chunked, because its body stays coded.
 */
export function readResponseHeaders(headers: IncomingHttpHeaders): ResponseHeaders {
  const encoding = headers['transfer-encoding'] ?? 'chunked';
  if (String(encoding).toLowerCase() !== 'chunked') throw malformed();
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const [value] = [headers[name]].flat();
    if (value !== undefined && VISIBLE.test(value)) passed[name] = value;
  }
  boundRetryAfter(passed);
  for (const name of namesIn(String(headers.connection ?? ''))) delete passed[name];
  return { passed, contentLength: Number(headers['content-length'] ?? 0) };
}

/** Caps Retry-After. Drops one that is a date, because a date depends on the node's clock. */
function boundRetryAfter(passed: Record<string, string>): void {
  const value = passed[RETRY_AFTER];
  if (value === undefined) return;
  if (SECONDS.test(value)) passed[RETRY_AFTER] = String(Math.min(Number(value), MAX_RETRY_SECONDS));
  else delete passed[RETRY_AFTER];
}

/**
 * Returns the names, in lower case, of the headers that a Connection header makes hop-by-hop (RFC 9110
 * §7.6.1).
 */
export function namesIn(connection: string): string[] {
  if (connection === '' || connection === 'keep-alive') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map(name => name.trim());
}
