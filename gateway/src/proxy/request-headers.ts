import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { namesIn } from '../upstream/response-headers.js';

/** The request headers that are passed on to nodes. They contain no keys, cookies or client addresses. */
const READ_HEADERS = ['accept', 'accept-encoding', 'if-none-match'] as const;
const SUBMIT_HEADERS = ['accept', 'accept-encoding', 'content-type'] as const;

const NAME = 'zbc-gateway-';
/** The name of this process in Via. It is random, so that only its own requests count as loops. */
const PSEUDONYM = `${NAME}${randomBytes(8).toString('hex')}`;
/** Marks the requests that this process passed on, so that loops are detected (RFC 9110 §7.6.3). */
export const VIA = `1.1 ${PSEUDONYM}`;
/** An entry of another gateway, which must be kept: a loop may lead through it. */
const OTHER_GATEWAY = new RegExp(`^1\\.[01] ${NAME}[0-9a-f]{16}$`);
/**
 * Headers of reads that the gateway makes for itself, or for all clients alike. They ask for no encoding and
 * contain no condition.
 */
export const OWN_HEADERS = ['via', VIA, 'accept', 'application/json'];

/** Selects the headers to pass on, as alternating names and values. */
export function pickRequestHeaders(method: 'GET' | 'POST', headers: IncomingHttpHeaders): string[] {
  const dropped = headers.connection === undefined ? [] : namesIn(headers.connection);
  const picked = ['via', headers.via === undefined ? VIA : viaAfter(headers.via)];
  for (const name of method === 'GET' ? READ_HEADERS : SUBMIT_HEADERS) {
    const value = headers[name];
    if (value !== undefined && !dropped.includes(name)) picked.push(name, value);
  }
  return picked;
}

/** Whether headers of a request to a node allow a 304. */
export function isConditional(headers: readonly string[]): boolean {
  return headers.some((name, index) => index % 2 === 0 && name === 'if-none-match');
}

/**
 * Whether the query of a path contains `wait_ms`, which asks the node to wait. The name may be
 * percent-encoded, because nodes decode it.
 */
export function asksToWait(path: string): boolean {
  const mark = path.indexOf('?');
  return mark !== -1 && new URLSearchParams(path.slice(mark)).has('wait_ms');
}

/** Whether this process has already passed the request on. */
export function isLoop({ via }: IncomingHttpHeaders): boolean {
  return (
    via !== undefined && entriesOf(via).some(entry => entry.split(/\s+/)[1]?.toLowerCase() === PSEUDONYM)
  );
}

/** Appends this process to the gateways in Via. Entries of other proxies, which may name hosts, are dropped. */
function viaAfter(via: string): string {
  return [...entriesOf(via).filter(entry => OTHER_GATEWAY.test(entry)), VIA].join(', ');
}

function entriesOf(via: string): string[] {
  return via.split(',').map(entry => entry.trim());
}
