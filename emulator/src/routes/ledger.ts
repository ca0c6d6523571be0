import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../harness.js';
import { APDU_HEX, holdReply } from '../held-reply.js';

const BODY = {
  type: 'object',
  required: ['apduHex'],
  additionalProperties: false,
  properties: { apduHex: APDU_HEX },
};

/** The ledger port: GET / tells that it is up, POST / is one command, as Ledger's HTTP transport speaks it. */
export function routeLedger(server: FastifyInstance, emulator: Emulator): void {
  server.get('/', (_request, reply) =>
    reply.type('text/plain').send('ZBC Signer emulator: POST {"apduHex"}\n'),
  );
  server.post<{ Body: { apduHex: string } }>('/', { schema: { body: BODY } }, (request, reply) =>
    holdReply(emulator, request.body.apduHex, reply, data => ({ data, error: null })),
  );
}
