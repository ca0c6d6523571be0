import type { FastifyInstance } from 'fastify';

const TEXT = `ZBC Signer emulator
POST /apdu, /button/left, /button/right, /button/both; GET /events, /screenshot
`;

/** GET /: what this port is. */
export function routeHome(server: FastifyInstance): void {
  server.get('/', (_request, reply) => reply.type('text/plain').send(TEXT));
}
