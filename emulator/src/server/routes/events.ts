import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Screen, ScreenText } from '../../device/platform.js';
import type { Emulator } from '../../harness/emulator.js';

/** Letter case is ignored, because Python writes True and False. */
const FLAG = { type: 'string', pattern: '^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$' };
const QUERY = { type: 'object', properties: { stream: FLAG, currentscreenonly: FLAG } };

const READ = {
  summary: 'List all texts drawn so far or those on the current screen, or stream texts as they are drawn',
  querystring: QUERY,
};
const FORGET = { summary: 'Clear the texts drawn so far' };

/** A client with more unread bytes is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Limit of the listed texts; the oldest are dropped. No test draws more between two DELETE requests. */
const MAX_EVENTS = 10_000;

interface EventsQuery {
  stream?: string;
  currentscreenonly?: string;
}

/**
 * GET /events: lists all drawn texts or those on the current screen, or streams texts as they are drawn.
 * DELETE /events: clears the list.
 */
export function routeEvents(server: FastifyInstance, emulator: Emulator, log: EventLog): void {
  server.get<{ Querystring: EventsQuery }>('/events', { schema: READ }, (request, reply) => {
    if (isSet(request.query.stream)) return streamEvents(emulator, reply);
    const currentOnly = isSet(request.query.currentscreenonly);
    return reply.send({ events: currentOnly ? eventsOf(emulator.screen) : log.events });
  });
  server.delete('/events', { schema: FORGET }, (_request, reply) => {
    log.clear();
    return reply.send({});
  });
}

const isSet = (flag: string | undefined) => /^(true|1)$/i.test(flag ?? '');

/** Streams server-sent events: the headers at once, then each event in one write. */
function streamEvents(emulator: Emulator, reply: FastifyReply): void {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return;
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  raw.flushHeaders();
  if (reply.request.method === 'HEAD') {
    raw.end();
    return;
  }
  const onScreen = (screen: Screen) => {
    for (const event of eventsOf(screen)) raw.write(`data: ${JSON.stringify(event)}\n\n`);
    if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
  };
  emulator.on('screen', onScreen);
  raw.on('close', () => emulator.off('screen', onScreen));
}

/** A drawn text in the format of Speculos. */
interface TextEvent extends ScreenText {
  clear: false;
}

function eventsOf(screen: Screen): TextEvent[] {
  return screen.texts.map(text => ({ ...text, clear: false }));
}

/** The texts that were drawn since the start or the last `clear`. */
export class EventLog {
  #events: TextEvent[];

  constructor(emulator: Emulator) {
    this.#events = eventsOf(emulator.screen);
    emulator.on('screen', screen => {
      this.#events.push(...eventsOf(screen));
      if (this.#events.length > MAX_EVENTS) this.#events.splice(0, this.#events.length - MAX_EVENTS);
    });
  }

  get events(): readonly TextEvent[] {
    return this.#events;
  }

  clear(): void {
    this.#events = [];
  }
}
