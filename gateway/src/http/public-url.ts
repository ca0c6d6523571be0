import type { GatewayConfig } from '../config/config.js';

/**
 * The gateway's URL for clients by its configuration, never from a request, without a trailing slash. `port`
 * is the bound one.
 */
export function publicUrl({ publicUrl: configured, gatewayHost, tls }: GatewayConfig, port: number): string {
  if (configured !== undefined) return configured;
  const [scheme, usualPort] = tls === undefined ? ['http', 80] : ['https', 443];
  return `${scheme}://${gatewayHost}${port === usualPort ? '' : `:${port}`}`;
}
