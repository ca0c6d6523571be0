import { malformed } from './node-fault.js';

const RETRY_AFTER = 'retry-after';
/**
 * The response headers of a node that are passed to clients. Caching headers are not among them: only the
 * gateway decides about caching, because a copy must not outlive the trust in its node.
 */
const PASSED = new Set(['content-type', 'content-encoding', 'etag', 'last-modified', RETRY_AFTER, 'vary']);
/** The longest Retry-After that a client gets. */
export const MAX_RETRY_SECONDS = 60;
const SECONDS = /^\d{1,9}$/;
const CONTENT_LENGTH = 'content-length';
const CONNECTION = 'connection';
const TRANSFER_ENCODING = 'transfer-encoding';
const READ = new Set([...PASSED, CONTENT_LENGTH, CONNECTION, TRANSFER_ENCODING]);
/** Lengths of the shortest and the longest of these names. */
const MIN_NAME = 4;
const MAX_NAME = 17;
const VISIBLE = /^[\x20-\x7e]*$/;

interface ResponseHeaders {
  /** Passed headers by lower-case name. */
  passed: Record<string, string>;
  contentLength: number | undefined;
}

/**
 * Reads alternating names and values. If a header occurs several times, the first value is used. Throws NodeFault
 * for a transfer encoding other than chunked, because its body stays coded.
 */
export function readResponseHeaders(raw: readonly Buffer[]): ResponseHeaders {
  const passed: Record<string, string> = {};
  let contentLength: number | undefined;
  let connection = '';
  for (let index = 0; index < raw.length; index += 2) {
    const { length } = raw[index]!;
    if (length < MIN_NAME || length > MAX_NAME) continue;
    const name = raw[index]!.toString('latin1').toLowerCase();
    if (!READ.has(name)) continue;
    const value = raw[index + 1]!.toString('latin1');
    if (name === CONTENT_LENGTH) {
      contentLength = Number(value);
    } else if (name === TRANSFER_ENCODING) {
      if (value.toLowerCase() !== 'chunked') throw malformed();
    } else if (name === CONNECTION) {
      connection += `${value},`;
    } else if (!(name in passed) && VISIBLE.test(value)) {
      passed[name] = value;
    }
  }
  boundRetryAfter(passed);
  for (const name of namesIn(connection)) delete passed[name];
  return { passed, contentLength };
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
  if (connection === '' || connection === 'keep-alive,' || connection === 'keep-alive') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map(name => name.trim());
}
