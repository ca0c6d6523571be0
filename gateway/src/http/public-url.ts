import type { GatewayConfig } from '../config/config.js';

const HTTPS_PORT = 443;

/**
 * The gateway's URL for clients by its configuration, never from a request, without a trailing slash. `port`
 * is the bound one.
 */
export function publicUrl({ publicUrl: configured, gatewayHost, tls }: GatewayConfig, port: number): string {
  if (configured !== undefined) return configured;
  const [scheme, usualPort] = tls === undefined ? ['http', 80] : ['https', HTTPS_PORT];
  return `${scheme}://${gatewayHost}${port === usualPort ? '' : `:${port}`}`;
}

/** The port of an HTTPS URL. */
export function portOf(url: string): number {
  return Number(new URL(url).port || HTTPS_PORT);
}
