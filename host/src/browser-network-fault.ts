// Replaces network-fault.ts in browsers, by `imports` in package.json: a browser hides the reason of a
// failure from a page.
import type { GatewayError } from './errors.js';
import { GatewayUnreachableError, originRefusedError } from './gateway/errors.js';
import type { FailedRequest } from './network-fault.js';

/** Every page gets the response of this route, although it may not be able to read it. */
const PROBED_ROUTE = '/api/v1/node/info';

/**
 * Like fetchError in Node. A page may be able to send a request whose response the server does not let it
 * read.
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
