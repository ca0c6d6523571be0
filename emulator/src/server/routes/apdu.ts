import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../../harness/emulator.js';
import { APDU_HEX, holdReply } from '../held-reply.js';
import type { Ticker } from '../ticker.js';

const BODY = {
  type: 'object',
  required: ['data'],
  additionalProperties: false,
  properties: { data: APDU_HEX, tick_timeout: { type: 'number' } },
};

const SCHEMA = { summary: "Send a command; the reply follows the user's decision", body: BODY };

interface ApduBody {
  data: string;
  tick_timeout?: number;
}

/**
 * POST /apdu: sends one command. After more than `tick_timeout` ticks without a reply the connection is cut;
 * 0, the default, waits for ever.
 */
export function routeApdu(server: FastifyInstance, emulator: Emulator, ticker: Ticker): void {
  server.post<{ Body: ApduBody }>('/apdu', { schema: SCHEMA }, ({ body }, reply) => {
    const { data: apdu, tick_timeout: ticks = 0 } = body;
    return holdReply(
      emulator,
      apdu,
      reply,
      data => ({ data }),
      expire => ticker.limit(ticks, expire),
    );
  });
}
