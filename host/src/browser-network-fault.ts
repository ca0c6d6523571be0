// In the place of network-fault.ts, by `imports` in package.json: a browser gives a page no reason.
import type { GatewayError } from './errors.js';
import { GatewayUnreachableError } from './gateway/errors.js';

/** As in Node. */
export function fetchError(error: unknown, url: string, _route: string): GatewayError {
  return new GatewayUnreachableError(url, 'the connection failed', error);
}
