import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import type { GatewayContext } from '../gateway-context.js';
import { media } from '../openapi/records.js';

const TEMPLATE = new URL('../browser/install.sh', import.meta.url);

const SCHEMA = {
  operationId: 'installer',
  summary: 'A script that downloads, verifies and unpacks the latest release',
  response: { 200: media('text/x-shellscript') },
};

/** Returns the shell script that installs a node from the gateway at `gatewayUrl`. */
export async function writeInstallScript(gatewayUrl: string): Promise<string> {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replace('@GATEWAY_URL@', () => quoteForShell(gatewayUrl));
}

/** Quotes text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * `GET /install` sends a shell script that installs the latest release, after it has compared the release's
 * hash with that on the chain.
 */
export function addInstallRoute(app: FastifyInstance, { config }: GatewayContext): void {
  app.get('/install', { schema: SCHEMA }, async (request, reply) => {
    const bound = request.server.server.address() as AddressInfo | null;
    reply.headers({
      'content-type': 'text/x-shellscript; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    return reply.send(await writeInstallScript(publicUrl(config, bound?.port ?? config.listenPort)));
  });
}

/**
 * Returns the gateway's URL for clients, without a trailing slash. It depends only on the configuration and
 * the bound port, never on a request.
 */
function publicUrl({ publicUrl: configured, gatewayHost, tls }: GatewayConfig, port: number): string {
  if (configured !== undefined) return configured;
  const [scheme, usualPort] = tls === undefined ? ['http', 80] : ['https', 443];
  return `${scheme}://${gatewayHost}${port === usualPort ? '' : `:${port}`}`;
}
