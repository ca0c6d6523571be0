import type { FastifyInstance, FastifyReply } from 'fastify';
import { CommandLog } from '../../command-log/command-log.js';
import type { Emulator } from '../../harness/emulator.js';
import { PANEL_FILES, type PanelFile, readPanelFile } from '../panel-files.js';
import { PanelStream } from '../panel-stream.js';

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** GET /: the web panel; /panel/…: its files; /panel/stream: its server-sent events (PanelMessages). */
export function routePanel(server: FastifyInstance, emulator: Emulator): void {
  const log = new CommandLog(emulator);
  server.get('/', (_request, reply) => sendFile('index.html', reply));
  for (const name of Object.keys(PANEL_FILES) as PanelFile[]) {
    server.get(`/panel/${name}`, (_request, reply) => sendFile(name, reply));
  }
  server.get('/panel/stream', { exposeHeadRoute: false }, (_request, reply) => {
    reply.hijack();
    new PanelStream(emulator, log, reply.raw).start();
  });
}

async function sendFile(name: PanelFile, reply: FastifyReply): Promise<FastifyReply> {
  const bytes = await readPanelFile(name);
  return reply.headers(HEADERS).type(PANEL_FILES[name]).send(bytes);
}
