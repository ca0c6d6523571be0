import type { FastifyInstance } from 'fastify';

const SCHEMA = { summary: 'Rejected: the model has no touch screen' };

/** POST /finger: always an error, since the model has no touch screen. */
export function routeFinger(server: FastifyInstance): void {
  server.post('/finger', { schema: SCHEMA }, (_request, reply) =>
    reply.code(400).send({ error: 'this model has no touch screen; use /button/left, /right or /both' }),
  );
}
