import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../../harness/emulator.js';

const SCHEMA = { summary: 'Cut the power and give it back; a pending command gets no reply' };

/** POST /restart: as when the device is unplugged and plugged in again; settings stay. */
export function routeRestart(server: FastifyInstance, emulator: Emulator): void {
  server.post('/restart', { schema: SCHEMA }, async () => {
    emulator.restart();
    return {};
  });
}
