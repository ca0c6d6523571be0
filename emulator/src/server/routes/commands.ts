import type { FastifyInstance, FastifyReply } from 'fastify';
import { HTTP_LINK } from '../../device/exchange.js';
import type { Emulator } from '../../harness/emulator.js';
import type { Ticker } from '../ticker.js';

/** JSON schema of an APDU in hex. */
const APDU_HEX = { type: 'string', pattern: '^([0-9a-fA-F]{2})+$' } as const;

const APDU_BODY = {
  type: 'object',
  required: ['data'],
  additionalProperties: false,
  properties: {
    data: APDU_HEX,
    channel: { type: 'integer', minimum: 0, maximum: 0xffff },
    tick_timeout: { type: 'number' },
  },
};

const APDU_SCHEMA = { summary: "Send a command; the reply follows the user's decision", body: APDU_BODY };

interface ApduBody {
  data: string;
  channel?: number;
  tick_timeout?: number;
}

/**
 * POST /apdu: sends one command of the host on a channel, 0 by default. After more than `tick_timeout` ticks without a reply, the connection is
 * closed. With 0, the default, there is no limit.
 */
export function routeApdu(server: FastifyInstance, emulator: Emulator, ticker: Ticker): void {
  server.post<{ Body: ApduBody }>('/apdu', { schema: APDU_SCHEMA }, ({ body }, reply) => {
    const { data, channel = 0, tick_timeout: ticks = 0 } = body;
    return holdReply(
      emulator,
      { data, channel },
      reply,
      replyHex => ({ data: replyHex }),
      expire => ticker.limit(ticks, expire),
    );
  });
}

const LEDGER_BODY = {
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
  server.post<{ Body: { apduHex: string } }>('/', { schema: { body: LEDGER_BODY } }, (request, reply) =>
    holdReply(emulator, { data: request.body.apduHex, channel: 0 }, reply, data => ({ data, error: null })),
  );
}

/**
 * Answers a request with the JSON `document` of a command's reply in hex. The headers are sent at once, the
 * body after the user's decision; a client that disconnects cancels its review. `limit` may call its argument
 * to disconnect the client, and returns a function to call at the end.
 *
 * The connection is closed after the reply. Clients of Speculos wait until their socket is readable, even if
 * their buffer already has the whole body, and a socket at its end is always readable.
 */
async function holdReply(
  emulator: Emulator,
  { data, channel }: { data: string; channel: number },
  reply: FastifyReply,
  document: (replyHex: string) => object,
  limit: (expire: () => void) => () => void = () => () => undefined,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return;
  raw.on('close', () => {
    if (!raw.writableEnded) emulator.leave(HTTP_LINK, channel);
  });
  raw.writeHead(200, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  raw.flushHeaders();
  const close = () => raw.destroy();
  emulator.once('stop', close);
  const release = limit(close);
  try {
    const answer = await emulator.beginFrom(HTTP_LINK, channel, Buffer.from(data, 'hex'));
    raw.end(JSON.stringify(document(Buffer.from(answer).toString('hex'))));
  } catch {
    // The client left or the emulator was stopped. The headers are already sent, so the connection is closed.
    close();
  } finally {
    emulator.off('stop', close);
    release();
  }
}
