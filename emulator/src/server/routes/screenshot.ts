import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../../harness/emulator.js';

const SCHEMA = { summary: 'Get the current screen', produces: 'image/png' };

/** GET /screenshot: the current screen as a PNG, see encodePng. */
export function routeScreenshot(server: FastifyInstance, emulator: Emulator): void {
  server.get('/screenshot', { schema: SCHEMA }, (_request, reply) =>
    reply.type('image/png').header('cache-control', 'no-cache, no-store').send(emulator.png()),
  );
}
