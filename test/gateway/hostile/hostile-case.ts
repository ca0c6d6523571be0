/**
 * Bytes that are sent to the gateway gateway.test, as Latin-1. `{full}`, `{archival}` and `{stranger}` are
 * placeholders for the ports of nodes on 127.0.0.1; the stranger is not admitted. `{key}` is the admin key.
 */
export interface HostileCase {
  /** Completes the sentence "The gateway …". */
  name: string;
  bytes: string;
  /**
   * The statuses of all replies until the connection ends. After the bytes, a second request (SECOND) is
   * sent. If the connection is still open then, the last status is the 200 of that request.
   */
  replies: readonly number[];
  /** The requests that the nodes receive, without the second request. Default: none. */
  archival?: readonly ForwardedRequest[];
  full?: readonly ForwardedRequest[];
}

/** A case that no node receives. The default status is 400. */
export const answers = (name: string, bytes: string, ...replies: number[]): HostileCase => ({
  ...{ name, bytes, replies: replies.length === 0 ? [400] : replies },
});

/** A case whose request for /api/v1/hidden reaches the archival node, with these headers. */
export const passes = (name: string, bytes: string, headers: readonly string[] = []): HostileCase => ({
  ...{ name, bytes, replies: [200, 200], archival: [{ method: 'GET', path: '/api/v1/hidden', headers }] },
});

/** A request as the gateway passes it on. */
export interface ForwardedRequest {
  method: 'GET' | 'POST';
  path: string;
  /** Header lines in order, after those that every forwarded request has. */
  headers?: readonly string[];
  body?: string;
}

export const SECOND = 'GET /api/v1/second HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n\r\n';
/** The request that the archival node receives for SECOND. */
export const SECOND_FORWARDED: ForwardedRequest = { method: 'GET', path: '/api/v1/second' };

export const HOST = 'Host: gateway.test\r\n';

/** Returns the bytes of a request. `lines` are complete header lines without line ends. */
export function request(method: string, target: string, lines: readonly string[] = [], body = ''): string {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: gateway.test', ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Returns the bytes of a broadcast with its Content-Length. */
export function post(body: string, lines: readonly string[] = [], target = '/api/v1/transactions'): string {
  return request(
    'POST',
    target,
    ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body, 'latin1')}`, ...lines],
    body,
  );
}
