import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Screen } from '@zbc-signer/emulator';
import { HttpControls } from '#emulator/real-device/http-controls.js';

const screen: Screen = { frame: new Uint8Array(1024), texts: [] };

let server: Server;
let ended: AbortController;

/** Opens controls for a device with these answers. */
async function open(answer: RequestListener): Promise<HttpControls> {
  ended = new AbortController();
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new HttpControls(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ended.signal);
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const unsuitable = (message: string) => ({
  code: 'DEVICE_UNSUITABLE',
  message: expect.stringContaining(message),
});

test.each<[string, RequestListener]>([
  ['the screenshot is not a PNG', (_, response) => response.end('<html>')],
  ['/screenshot answered with status 500', (_, response) => response.writeHead(500).end('{}')],
  ['/screenshot does not answer', (_, response) => response.destroy()],
])('an unsuitable device is reported at once: %s', async (message, answer) => {
  const controls = await open(answer);
  await expect(controls.follow([{ screen }])).rejects.toMatchObject(unsuitable(message));
});

test('a device that refuses a press is reported at once', async () => {
  const controls = await open((_, response) => response.writeHead(400).end('{}'));
  const followed = controls.follow([{ press: 'right', screen }]);
  await expect(followed).rejects.toMatchObject(unsuitable('/button/right answered with status 400'));
});

test('an abort of the test is not reported as a fault of the device', async () => {
  const controls = await open(() => ended.abort(new Error('enough')));
  await expect(controls.follow([{ screen }])).rejects.toThrow('enough');
});
