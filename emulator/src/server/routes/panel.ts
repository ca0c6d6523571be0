import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CommandLog } from '../../command-log/command-log.js';
import type { Emulator } from '../../harness/emulator.js';
import type { Recording } from '../../recording/recording.js';
import type { TestRunner } from '../../trace/as-test.js';
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

/** Those of renderTest, which is loaded only when it is used. */
const RUNNERS: readonly TestRunner[] = ['jest', 'vitest', 'node', 'pytest'];

/**
 * GET /: the web panel; /panel/…: its files; /panel/stream: its server-sent events (PanelMessages); /panel/trace: the
 * session as a page, /panel/test/RUNNER as a test, 409 when it is not traced or cannot be one.
 */
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
  server.get('/panel/trace', async (_request, reply) => {
    const { renderTracePage } = await import('../../trace/page.js');
    const page = await ofSession(emulator, recording => renderTracePage(recording, 'session'));
    // The page has a policy of its own, which cannot say who may frame it.
    const headers = { ...HEADERS, 'content-security-policy': "frame-ancestors 'none'" };
    return reply.headers(headers).type('text/html; charset=utf-8').send(page);
  });
  for (const runner of RUNNERS) {
    server.get(`/panel/test/${runner}`, async (_request, reply) => {
      const { renderTest } = await import('../../trace/as-test.js');
      const source = await ofSession(emulator, recording => renderTest(recording, runner, 'session'));
      return reply.headers(HEADERS).type('text/plain; charset=utf-8').send(source);
    });
  }
}

/** What is made of the session since the emulator's start. Throws an Error with status 409 when it cannot be made. */
async function ofSession(
  emulator: Emulator,
  make: (recording: Recording) => string | Promise<string>,
): Promise<string> {
  try {
    const path = emulator.keepTrace();
    if (path === undefined) throw new Error('this session is not traced: it has a keystore, or is too long');
    const { parseRecording } = await import('../../recording/recording.js');
    return await make(parseRecording(await readFile(path, 'utf8')));
  } catch (error) {
    throw Object.assign(new Error((error as Error).message), { statusCode: 409 });
  }
}

async function sendFile(name: PanelFile, reply: FastifyReply): Promise<FastifyReply> {
  const bytes = await readPanelFile(name);
  return reply.headers(HEADERS).type(PANEL_FILES[name]).send(bytes);
}
