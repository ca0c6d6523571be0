import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { Screen } from '@zbc-signer/emulator';
import { encodePng } from '#emulator/device/png.js';
import { HttpControls } from '#emulator/real-device/http-controls.js';
import { followSteps } from '#emulator/real-device/signer-under-test.js';

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
  await expect(followSteps(controls, [{ screen }])).rejects.toMatchObject(unsuitable(message));
});

/** A device whose screen is this picture, and one that shows the other picture after a press. */
async function openShowing(shows: () => Uint8Array): Promise<{ controls: HttpControls; reads(): number }> {
  let reads = 0;
  const controls = await open(({ url }, response) => {
    if (url === '/screenshot') reads += 1;
    response.end(url === '/screenshot' ? encodePng(shows()) : '{}');
  });
  return { controls, reads: () => reads };
}

const white = new Uint8Array(1024).fill(0xff);

test('another screen than expected is a fault as soon as it is steady, not after five seconds', async () => {
  let frame = screen.frame;
  const { controls } = await openShowing(() => frame);
  expect(await followSteps(controls, [{ screen }])).toBeUndefined();
  frame = white.map(() => 0xaa);
  const start = performance.now();
  const step = { press: 'right', screen: { ...screen, frame: white } } as const;
  expect(await followSteps(controls, [step])).toMatchObject({ step, shown: frame });
  expect(performance.now() - start).toBeLessThan(3000);
});

test('the waits for screens of a signer that has failed a check are short', async () => {
  const { controls, reads } = await openShowing(() => screen.frame);
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 100));
  const waits: number[] = [];
  for (let wait = 0; wait < 2; wait++) {
    if (wait > 0) controls.hurry();
    const before = reads();
    await followSteps(controls, [{ press: 'right', screen: { ...screen, frame: white } }]);
    waits.push(reads() - before);
  }
  clock.mockRestore();
  expect(waits[1]).toBeLessThan(waits[0]! / 4);
});

test('a device that refuses a press is reported at once', async () => {
  const controls = await open((_, response) => response.writeHead(400).end('{}'));
  const followed = followSteps(controls, [{ press: 'right', screen }]);
  await expect(followed).rejects.toMatchObject(unsuitable('/button/right answered with status 400'));
});

test('an abort of the test is not reported as a fault of the device', async () => {
  const controls = await open(() => ended.abort(new Error('enough')));
  await expect(followSteps(controls, [{ screen }])).rejects.toThrow('enough');
});
