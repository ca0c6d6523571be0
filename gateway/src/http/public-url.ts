import type { GatewayConfig } from '../config/config.js';

const HTTPS_PORT = 443;

/** Where clients find the gateway by its configuration, without a slash at the end; never what a request claims. `port` is the bound one. */
export function publicUrl({ publicUrl: told, gatewayHost, tls }: GatewayConfig, port: number): string {
  if (told !== undefined) return told;
  const [scheme, usualPort] = tls === undefined ? ['http', 80] : ['https', HTTPS_PORT];
  return `${scheme}://${gatewayHost}${port === usualPort ? '' : `:${port}`}`;
}

/** Of an HTTPS address. */
export function portOf(url: string): number {
  return Number(new URL(url).port || HTTPS_PORT);
}
