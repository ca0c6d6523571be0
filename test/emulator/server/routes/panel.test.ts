import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { Emulator, type EmulatorServer } from '@zbc-signer/emulator';
import { CommandLog } from '#emulator/command-log/command-log.js';
import { PANEL_FILES, readPanelFile } from '#emulator/panel-files.js';
import { PanelStream } from '#emulator/server/panel-stream.js';
import { getPublicKey } from '../../../../testkit/device/apdu.js';
import { startServer } from '../../../../testkit/device/device-host.js';
import { httpRequest, openRequest } from '../../../../testkit/network/http.js';

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const get = (path: string) => httpRequest('GET', server.api + path);
const filePaths = ['/', ...Object.keys(PANEL_FILES).map(name => `/panel/${name}`)];

describe('the panel', () => {
  test('is a page at /', async () => {
    const { status, headers, body } = await get('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body.toString()).toContain('<h1>ZBC Signer');
  });

  test('is smaller than 50 KB with all that it loads', async () => {
    const replies = await Promise.all(filePaths.slice(1).map(get));
    expect(replies.map(({ status }) => status)).toEqual(filePaths.slice(1).map(() => 200));
    expect(replies.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(50_000);
  });

  test.each(filePaths)('restricts %s to files of the panel, and lets no page frame it', async path => {
    const { headers } = await get(path);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]));
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('has no inline script, style or handler in its markup, which its policy would block', async () => {
    expect((await get('/')).body.toString()).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  });
});

test('the panel serves the session as a page that cannot be framed, and as a test', async () => {
  server.emulator.press('right');
  const trace = await get('/panel/trace');
  expect([trace.status, trace.headers['content-security-policy']]).toEqual([200, "frame-ancestors 'none'"]);
  const made = await get('/panel/test/pytest');
  expect([made.status, made.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(made.body.toString()).toContain('press("right")');
  expect((await get('/panel/test/ava')).status).toBe(404);
});

test('the panel answers 409 if the session has no trace', async () => {
  await server.close();
  server = await startServer({ trace: false });
  const replies = [await get('/panel/trace'), await get('/panel/test/jest')];
  for (const { status, body } of replies) {
    expect([status, JSON.parse(body.toString())]).toEqual([
      409,
      { error: expect.stringMatching(/has no trace/) },
    ]);
  }
});

test('a panel that is not built is reported, with how to build it', async () => {
  const missing = readPanelFile('nothing.js');
  await expect(missing).rejects.toMatchObject({
    code: 'PANEL_MISSING',
    message: expect.stringContaining('make build'),
  });
});

interface Message {
  name: string;
  data: unknown;
}

/** Reads messages of the stream as they arrive. */
async function* readStream(): AsyncGenerator<Message> {
  const { response, sent } = await openRequest('GET', `${server.api}/panel/stream`);
  response.on('error', () => undefined);
  let unread = '';
  try {
    for await (const chunk of response) {
      unread += chunk;
      const messages = unread.split('\n\n');
      unread = messages.pop()!;
      for (const message of messages) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(message) ?? [];
        if (name) yield { name, data: JSON.parse(data!) };
      }
    }
  } catch {
    // The stop of the emulator closes the connection.
  } finally {
    sent.destroy();
  }
}

async function take(stream: AsyncGenerator<Message>, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  while (messages.length < count) {
    const { value, done } = await stream.next();
    if (done) break;
    messages.push(value);
  }
  return messages;
}

const VERSION = Uint8Array.of(0xe0, 3, 0, 0, 0);

describe('/panel/stream', () => {
  test('begins with everything that happened before', async () => {
    await server.emulator.exchange(VERSION);
    server.emulator.press('right');
    const stream = readStream();
    const [snapshot] = await take(stream, 1);
    expect(snapshot).toMatchObject({
      name: 'snapshot',
      data: {
        screen: { frame: Buffer.from(server.emulator.frame()).toString('base64'), texts: ['Settings'] },
        commands: [{ words: 'Get version', hex: 'e003000000', reply: { status: '9000 OK' } }],
        events: [
          { texts: [{ text: 'ZBC Signer' }, { text: 'is ready' }] },
          { texts: [{ text: 'Settings' }] },
        ],
      },
    });
    await stream.return(undefined);
  });

  test('reports screens, commands, their replies, and the end', async () => {
    const stream = readStream();
    await take(stream, 1);
    server.emulator.press('right');
    expect(await take(stream, 2)).toMatchObject([
      { name: 'event', data: { texts: [{ text: 'Settings', w: expect.any(Number) }] } },
      { name: 'screen', data: { texts: ['Settings'] } },
    ]);
    await server.emulator.exchange(VERSION);
    const [asked, answered] = await take(stream, 2);
    expect(asked).toMatchObject({ name: 'command', data: { hex: 'e003000000' } });
    expect(asked!.data).not.toHaveProperty('reply');
    expect(answered).toMatchObject({ name: 'command', data: { reply: { outcome: 'ok' } } });
    server.emulator.stop();
    expect(await take(stream, 1)).toEqual([{ name: 'stop', data: {} }]);
    await stream.return(undefined);
  });

  test('reports a command that ends without a reply', async () => {
    const stream = readStream();
    await take(stream, 1);
    void server.emulator.exchange(getPublicKey(0, true));
    await take(stream, 3);
    server.emulator.stop();
    expect(await take(stream, 2)).toMatchObject([
      { name: 'stop' },
      { name: 'command', data: { reply: { outcome: 'failed' } } },
    ]);
    await stream.return(undefined);
  });

  test('stops listening when the page has gone', async () => {
    // The first request opens the API, which listens too.
    await get('/');
    const before = server.emulator.listenerCount('screen');
    const stream = readStream();
    await take(stream, 1);
    expect(server.emulator.listenerCount('screen')).toBe(before + 1);
    const removed = once(server.emulator, 'removeListener');
    await stream.return(undefined);
    await removed;
    expect(server.emulator.listenerCount('screen')).toBe(before);
  });

  test('closes the connection of a page that reads nothing', async () => {
    const emulator = await Emulator.start();
    const log = new CommandLog(emulator);
    const raw = new PassThrough({ highWaterMark: 1 });
    Object.assign(raw, { writeHead: () => raw });
    new PanelStream(emulator, log, raw as unknown as ServerResponse).start();
    for (let press = 0; press < 2000 && !raw.destroyed; press++) {
      emulator.press(press % 2 === 0 ? 'right' : 'left');
    }
    expect(raw.destroyed).toBe(true);
    emulator.stop();
  });
});
