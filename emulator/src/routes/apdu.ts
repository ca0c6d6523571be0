import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../harness.js';
import { APDU_HEX, holdReply } from '../held-reply.js';

const BODY = {
  type: 'object',
  required: ['data'],
  additionalProperties: false,
  properties: { data: APDU_HEX, tick_timeout: { type: 'number' } },
};

const SCHEMA = { summary: 'Send a command; answered when the user has decided', body: BODY };

/** POST /apdu: one command; `tick_timeout` is accepted and has no meaning here, the firmware has no ticks. */
export function routeApdu(server: FastifyInstance, emulator: Emulator): void {
  server.post<{ Body: { data: string } }>('/apdu', { schema: SCHEMA }, (request, reply) =>
    holdReply(emulator, request.body.data, reply, data => ({ data })),
  );
}
