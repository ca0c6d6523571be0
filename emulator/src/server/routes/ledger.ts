import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../../harness/emulator.js';
import { APDU_HEX, holdReply } from '../held-reply.js';

const BODY = {
  type: 'object',
  required: ['apduHex'],
  additionalProperties: false,
  properties: { apduHex: APDU_HEX },
};

/** Ledger's HTTP transport: GET / is a health check, POST / sends one command. */
export function routeLedger(server: FastifyInstance, emulator: Emulator): void {
  server.get('/', (_request, reply) =>
    reply.type('text/plain').send('ZBC Signer emulator: POST {"apduHex"}\n'),
  );
  server.post<{ Body: { apduHex: string } }>('/', { schema: { body: BODY } }, (request, reply) =>
    holdReply(emulator, request.body.apduHex, reply, data => ({ data, error: null })),
  );
}
