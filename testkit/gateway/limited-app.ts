import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '#gateway/config/config.js';
import { parseGatewayConfig } from '#gateway/config/parse.js';
import { createJsonApp } from '#gateway/http/json-app.js';
import { Clients } from '#gateway/limits/client.js';
import { addRateLimits } from '#gateway/limits/rate-limits.js';
import { requireAdminKey } from '#gateway/routes/admin.js';

export const KEY = 'the-right-key-of-this-gateway-0123456789';

export function configOf(fields: Record<string, unknown> = {}): GatewayConfig {
  return parseGatewayConfig({ gateway_host: 'localhost', admin_api_key: KEY, ...fields }, '/nowhere');
}

/**
 * Returns an app with rate limits. It has an open route, and a route that needs the admin key. As behind a
 * proxy, a header gives the address of the client.
 */
export function limitedApp(fields: Record<string, unknown>): FastifyInstance {
  const config = configOf({ trusted_proxies: ['127.0.0.1'], ...fields });
  const app = createJsonApp(error => process.emitWarning(error.stack ?? error.message));
  addRateLimits(app, config.rateLimit, new Clients(config.trustedProxies));
  app.all('/open', async () => ({}));
  app.all('/admin', { onRequest: requireAdminKey({ config }) }, async () => ({}));
  return app;
}

export async function ask(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  { client = '198.51.100.1', ...headers }: Record<string, string> = {},
) {
  const response = await app.inject({ method, url, headers: { 'x-forwarded-for': client, ...headers } });
  return { status: response.statusCode, headers: response.headers, body: response.json() as unknown };
}
