import { once } from 'node:events';
import { connect } from 'node:net';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { startServer } from '../../../../testkit/device/device-host.js';
import { callJson, openRequest } from '../../../../testkit/network/http.js';

interface Events {
  events: { text: string; x: number; y: number; w: number; h: number; clear: boolean }[];
}

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const getTexts = async (query = '') =>
  (await callJson<Events>('GET', `${server.api}/events${query}`)).events.map(({ text }) => text);

const press = (button: string) =>
  callJson('POST', `${server.api}/button/${button}`, { action: 'press-and-release' });

describe('GET /events', () => {
  test('returns every text since the start, with its position on the screen', async () => {
    server.emulator.press('right');
    const { events } = await callJson<Events>('GET', `${server.api}/events`);
    expect(events.map(({ text }) => text)).toEqual(['ZBC Signer', 'is ready', 'Settings']);
    for (const event of events) {
      expect(Object.keys(event)).toEqual(['text', 'x', 'y', 'w', 'h', 'clear']);
      expect(event.clear).toBe(false);
      expect(event.x >= 0 && event.x + event.w <= 128 && event.y >= 0 && event.y + event.h <= 64).toBe(true);
    }
  });

  test('accumulates events until DELETE', async () => {
    await press('right');
    expect(await getTexts()).toEqual(['ZBC Signer', 'is ready', 'Settings']);
    expect(await callJson('DELETE', `${server.api}/events`)).toEqual({});
    expect(await getTexts()).toEqual([]);
    await press('right');
    expect(await getTexts()).toEqual(['Version', '1.0.0']);
  });

  test('returns only the current screen for ?currentscreenonly=true, even after DELETE', async () => {
    await press('right');
    await callJson('DELETE', `${server.api}/events`);
    expect(await getTexts('?currentscreenonly=true')).toEqual(['Settings']);
    expect(await getTexts('?currentscreenonly=false')).toEqual([]);
  });
});

test('accepts flags as Python clients write them, and reports an invalid flag', async () => {
  await press('right');
  expect(await getTexts('?currentscreenonly=True')).toEqual(['Settings']);
  expect(await getTexts('?currentscreenonly=1&stream=False')).toEqual(['Settings']);
  await expect(getTexts('?currentscreenonly=maybe')).rejects.toThrow('currentscreenonly');
  const { sent, response } = await openRequest('GET', `${server.api}/events?stream=True`);
  expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
  sent.destroy();
});

describe('GET /events?stream=true', () => {
  test('sends headers at once, then new events only', async () => {
    const { sent, response } = await openRequest('GET', `${server.api}/events?stream=true`);
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    await press('right');
    const [chunk] = await once(response, 'data');
    expect(JSON.parse(String(chunk).replace(/^data: /, ''))).toMatchObject({
      text: 'Settings',
      clear: false,
    });
    sent.destroy();
  });

  test('writes each event whole into one chunk', async () => {
    const { port } = new URL(server.api);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /events?stream=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    let received = '';
    socket.on('data', data => {
      received += data;
    });
    await once(socket, 'data');
    await press('right');
    await press('right');
    while (!received.includes('1.0.0')) await once(socket, 'data');
    socket.destroy();
    // A chunk is its size in hex, then its bytes. Node 26 joins the writes of one tick in one chunk.
    const chunks = received.split('\r\n\r\n').slice(1).join('\r\n\r\n').split('\r\n');
    const written = chunks.filter((_, index) => index % 2 === 1);
    expect(written.filter(chunk => !/^(?:data: \{.*\}\n\n)+$/.test(chunk))).toEqual([]);
    const texts = [...written.join('').matchAll(/^data: (.*)\n\n/gm)].map(
      ([, json]) => JSON.parse(json!).text,
    );
    expect(texts).toEqual(['Settings', 'Version', '1.0.0']);
  });

  test('stops listening when the client has gone', async () => {
    const { sent } = await openRequest('GET', `${server.api}/events?stream=true`);
    const listening = server.emulator.listenerCount('screen');
    const removed = once(server.emulator, 'removeListener');
    sent.destroy();
    await removed;
    expect(server.emulator.listenerCount('screen')).toBe(listening - 1);
  });
});
