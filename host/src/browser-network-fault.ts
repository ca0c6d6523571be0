// In browsers, this module replaces network-fault.ts (see `imports` in package.json), because a browser does
// not tell a page why a request failed.
import type { GatewayError } from './errors.js';
import { GatewayUnreachableError, originRefusedError } from './gateway/errors.js';
import type { FailedRequest } from './network-fault.js';

/**
 * A gateway answers this route for pages of every origin, even if CORS does not let them read the response.
 */
const PROBED_ROUTE = '/api/v1/node/info';

/**
 * Like `fetchError` in network-fault.ts. If the server answers a `no-cors` request, this page may not read
 * its responses, and the error is `GATEWAY_ORIGIN_REFUSED`.
 */
export async function fetchError(error: unknown, request: FailedRequest): Promise<GatewayError> {
  const { url, isFirstRead } = request;
  const { origin } = Object(Reflect.get(globalThis, 'location')) as { origin?: unknown };
  const isForeign = typeof origin === 'string' && origin !== new URL(url).origin;
  if (isFirstRead && isForeign && (await answers(request))) return originRefusedError(url, origin, error);
  return new GatewayUnreachableError(url, 'the connection failed', error);
}

async function answers({ url, fetch }: FailedRequest): Promise<boolean> {
  try {
    await fetch(url + PROBED_ROUTE, { mode: 'no-cors' });
    return true;
  } catch {
    return false;
  }
}
