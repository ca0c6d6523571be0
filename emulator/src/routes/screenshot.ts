import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../harness.js';

/** GET /screenshot: the present screen as a PNG, see encodePng. */
export function routeScreenshot(server: FastifyInstance, emulator: Emulator): void {
  server.get('/screenshot', (_request, reply) =>
    reply.type('image/png').header('cache-control', 'no-cache, no-store').send(emulator.png()),
  );
}
