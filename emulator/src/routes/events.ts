import type { FastifyInstance, FastifyReply } from 'fastify';
import { EventLog, eventsOf } from '../event-log.js';
import type { Emulator } from '../harness.js';
import type { Screen } from '../platform.js';

const FLAG = { type: 'string', enum: ['true', 'false'] };
const QUERY = { type: 'object', properties: { stream: FLAG, currentscreenonly: FLAG } };

const READ = {
  summary: "The texts drawn so far, the present screen's only, or each as it is drawn",
  querystring: QUERY,
};
const FORGET = { summary: 'Forget the texts drawn so far' };

/** What a client that reads nothing may leave unread before it is hung up on. */
const MAX_UNREAD_BYTES = 1024 * 1024;

interface EventsQuery {
  stream?: string;
  currentscreenonly?: string;
}

/** GET /events: the texts drawn, all or the present screen's, or each new one as it is drawn; DELETE forgets them. */
export function routeEvents(server: FastifyInstance, emulator: Emulator): void {
  const log = new EventLog(emulator);
  server.get<{ Querystring: EventsQuery }>('/events', { schema: READ }, (request, reply) => {
    if (request.query.stream === 'true') return streamEvents(emulator, reply);
    const present = request.query.currentscreenonly === 'true';
    return reply.send({ events: present ? eventsOf(emulator.screen) : log.events });
  });
  server.delete('/events', { schema: FORGET }, (_request, reply) => {
    log.clear();
    return reply.send({});
  });
}

/** Server-sent events: the headers at once, then each event in one write of its own. */
function streamEvents(emulator: Emulator, reply: FastifyReply): void {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return;
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  raw.flushHeaders();
  const onScreen = (screen: Screen) => {
    for (const event of eventsOf(screen)) raw.write(`data: ${JSON.stringify(event)}\n\n`);
    if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
  };
  emulator.on('screen', onScreen);
  raw.on('close', () => emulator.off('screen', onScreen));
}
