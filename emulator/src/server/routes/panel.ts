import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CommandLog } from '../../command-log/command-log.js';
import type { Emulator } from '../../harness/emulator.js';
import { PANEL_FILES, readPanelFile } from '../../panel-files.js';
import type { TestRunner } from '../../trace/as-test.js';
import type { Trace } from '../../trace/trace.js';
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

/** The runners of renderTest, which is loaded only on use. */
const RUNNERS: readonly TestRunner[] = ['jest', 'vitest', 'node', 'pytest'];

/**
 * GET /: the web panel; /panel/…: its files; /panel/stream: its server-sent events (PanelMessages).
 *
 * GET /panel/trace: the session as a page; /panel/test/RUNNER: the session as a test. Both answer 409 if the
 * session is not traced or cannot be converted.
 */
export function routePanel(server: FastifyInstance, emulator: Emulator, log: CommandLog): void {
  server.get('/', (_request, reply) => sendFile('index.html', reply));
  for (const name of Object.keys(PANEL_FILES)) {
    server.get(`/panel/${name}`, (_request, reply) => sendFile(name, reply));
  }
  server.get('/panel/stream', { exposeHeadRoute: false }, (_request, reply) => {
    reply.hijack();
    new PanelStream(emulator, log, reply.raw).start();
  });
  server.get('/panel/trace', async (_request, reply) => {
    const { renderTracePage } = await import('../../replay/page.js');
    // The page has its own policy in a meta element, but such a policy cannot forbid frames.
    reply.headers({ ...HEADERS, 'content-security-policy': "frame-ancestors 'none'" });
    return sendSession(emulator, reply, 'text/html', trace => renderTracePage(trace, 'session'));
  });
  for (const runner of RUNNERS) {
    server.get(`/panel/test/${runner}`, async (_request, reply) => {
      const { renderTest } = await import('../../trace/as-test.js');
      reply.headers(HEADERS);
      return sendSession(emulator, reply, 'text/plain', trace => renderTest(trace, runner, 'session'));
    });
  }
}

/** Sends what `make` renders from the session since the emulator's start; answers 409 if this fails. */
async function sendSession(
  emulator: Emulator,
  reply: FastifyReply,
  type: string,
  make: (trace: Trace) => string,
): Promise<FastifyReply> {
  const path = emulator.keepTrace();
  if (path === undefined)
    return reply
      .code(409)
      .send({ error: 'this session has no trace: the device has a keystore, or the session is too long' });
  const { parseTrace } = await import('../../trace/trace.js');
  try {
    const made = make(parseTrace(await readFile(path, 'utf8')));
    return reply.type(`${type}; charset=utf-8`).send(made);
  } catch (error) {
    return reply.code(409).send({ error: (error as Error).message });
  }
}

async function sendFile(name: string, reply: FastifyReply): Promise<FastifyReply> {
  const bytes = await readPanelFile(name);
  return reply.headers(HEADERS).type(PANEL_FILES[name]!).send(bytes);
}
