import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../../harness/emulator.js';
import { APDU_HEX, holdReply } from '../held-reply.js';

const BODY = {
  type: 'object',
  required: ['data'],
  additionalProperties: false,
  properties: { data: APDU_HEX, tick_timeout: { type: 'number' } },
};

const SCHEMA = { summary: "Send a command; the reply follows the user's decision", body: BODY };

/** POST /apdu: sends one command. `tick_timeout` is accepted and ignored: the firmware has no ticks. */
export function routeApdu(server: FastifyInstance, emulator: Emulator): void {
  server.post<{ Body: { data: string } }>('/apdu', { schema: SCHEMA }, (request, reply) =>
    holdReply(emulator, request.body.data, reply, data => ({ data })),
  );
}
