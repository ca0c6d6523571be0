import type { FastifyReply } from 'fastify';
import { DisconnectedError } from '../errors.js';
import type { Emulator } from '../harness/emulator.js';

/** JSON schema of an APDU in hex. */
export const APDU_HEX = { type: 'string', pattern: '^([0-9a-fA-F]{2})+$' } as const;

/**
 * Answers a request with the JSON `document` of a command's reply in hex. The headers are sent at once, the
 * body when the user has decided; a client that disconnects cancels its review. `limit` may call what it is
 * given, which disconnects the client, and returns what to call at the end.
 *
 * The connection is closed after the reply: clients of Speculos look whether their socket has something to
 * read, also when their buffer has the body already, and the end of a stream can always be read.
 */
export async function holdReply(
  emulator: Emulator,
  apduHex: string,
  reply: FastifyReply,
  document: (replyHex: string) => object,
  limit: (expire: () => void) => () => void = () => () => undefined,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return;
  const link = new AbortController();
  raw.on('close', () => link.abort(new DisconnectedError()));
  raw.writeHead(200, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  raw.flushHeaders();
  const release = limit(() => raw.destroy());
  try {
    const answer = await emulator.exchange(Buffer.from(apduHex, 'hex'), link.signal);
    raw.end(JSON.stringify(document(Buffer.from(answer).toString('hex'))));
  } catch {
    // The client left or the emulator was stopped; the headers are sent, so close the connection.
    raw.destroy();
  } finally {
    release();
  }
}
