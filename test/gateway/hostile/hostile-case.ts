/**
 * Bytes for the gateway gateway.test, as Latin-1. `{full}`, `{archival}` and `{stranger}` stand for the ports
 * of nodes on 127.0.0.1, of which the last is not admitted. `{key}` is the admin key.
 */
export interface HostileCase {
  /** Completes: it refuses, or passes on, … */
  name: string;
  bytes: string;
  /**
   * The statuses of all replies until the connection ends. A second request (SECOND) follows the bytes: its
   * 200 is the last if the connection outlives the first.
   */
  replies: readonly number[];
  /** The requests that the nodes receive before the second request, which is not listed; default: none. */
  archival?: readonly Passed[];
  full?: readonly Passed[];
}

/** A case that no node receives: 400 by default. */
export const answers = (name: string, bytes: string, ...replies: number[]): HostileCase => ({
  ...{ name, bytes, replies: replies.length === 0 ? [400] : replies },
});

/** A case whose request for /api/v1/hidden reaches the archival node, with these headers. */
export const passes = (name: string, bytes: string, headers: readonly string[] = []): HostileCase => ({
  ...{ name, bytes, replies: [200, 200], archival: [{ method: 'GET', path: '/api/v1/hidden', headers }] },
});

/** The gateway's version of a request. */
export interface Passed {
  method: 'GET' | 'POST';
  path: string;
  /** Header lines in order, after those of every request. */
  headers?: readonly string[];
  body?: string;
}

export const SECOND = 'GET /api/v1/second HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n\r\n';
/** The request that the archival node receives for it. */
export const SECOND_PASSED: Passed = { method: 'GET', path: '/api/v1/second' };

export const HOST = 'Host: gateway.test\r\n';

/** The bytes of a request; `lines` are complete headers without line ends. */
export function request(method: string, target: string, lines: readonly string[] = [], body = ''): string {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: gateway.test', ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** A broadcast with its length. */
export function post(body: string, lines: readonly string[] = [], target = '/api/v1/transactions'): string {
  return request(
    'POST',
    target,
    ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body, 'latin1')}`, ...lines],
    body,
  );
}
