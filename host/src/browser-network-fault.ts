// In the place of network-fault.ts, by `imports` in package.json: a browser gives a page no reason.
import type { GatewayError } from './errors.js';
import { GatewayUnreachableError, originRefusedError } from './gateway/errors.js';
import type { FailedRequest } from './network-fault.js';

/** Whose response every page gets, though it cannot read it. */
const PROBED_ROUTE = '/api/v1/node/info';

/** As in Node. What the server does not let this page read it may still let it ask for. */
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
