import type { GatewayConfig } from './config/config.js';

/** Where clients find the gateway by its configuration, without a slash at the end; never what a request claims. `port` is the bound one. */
export function publicUrl({ gatewayHost, tls }: GatewayConfig, port: number): string {
  const [scheme, usualPort] = tls === undefined ? ['http', 80] : ['https', 443];
  return `${scheme}://${gatewayHost}${port === usualPort ? '' : `:${port}`}`;
}
