import type { FastifyInstance } from 'fastify';

const SCHEMA = { summary: 'Refused: the emulated models have no touch screen' };

/** POST /finger: for models with a touch screen, which this is not. */
export function routeFinger(server: FastifyInstance): void {
  server.post('/finger', { schema: SCHEMA }, (_request, reply) =>
    reply.code(400).send({ error: 'this model has no touch screen; use /button/left, /right or /both' }),
  );
}
