import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.js';
import { publicUrl } from '../http/public-url.js';
import { writeInstallScript } from '../pages/install-script.js';

/**
 * `GET /install`: a shell script that installs the latest release after checking its hash against the
 * chain's.
 */
export function addInstallRoute(app: FastifyInstance, { config }: GatewayContext): void {
  app.get('/install', async (request, reply) => {
    const bound = request.server.server.address() as AddressInfo | null;
    reply.headers({
      'content-type': 'text/x-shellscript; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    return reply.send(await writeInstallScript(publicUrl(config, bound?.port ?? config.listenPort)));
  });
}
