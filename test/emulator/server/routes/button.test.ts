import type { EmulatorServer } from '@zbc-signer/emulator';
import { crashingFirmware } from '../../../../testkit/device/crashing-firmware.js';
import { startServer } from '../../../../testkit/device/device-host.js';
import { callJson, httpRequest } from '../../../../testkit/network/http.js';

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const button = (name: string, action: string) => callJson('POST', `${server.api}/button/${name}`, { action });

describe('POST /button', () => {
  test('is answered after the screen is redrawn', async () => {
    expect(await button('right', 'press-and-release')).toEqual({});
    expect(server.emulator.texts()).toEqual(['Settings']);
    await button('left', 'press-and-release');
    expect(server.emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
  });

  test('acts on release, not on press', async () => {
    await button('right', 'press');
    expect(server.emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
    await button('right', 'release');
    expect(server.emulator.texts()).toEqual(['Settings']);
  });

  test('treats two keys that were held together as a press of both', async () => {
    await button('right', 'press-and-release');
    await button('left', 'press');
    await button('right', 'press');
    await button('left', 'release');
    expect(server.emulator.texts()).toEqual(['Settings']);
    await button('right', 'release');
    expect(server.emulator.texts()).toEqual(['Unknown chains', 'allowed']);
  });

  test('accepts a delay', async () => {
    await callJson('POST', `${server.api}/button/right`, { action: 'press-and-release', delay: 0.1 });
    expect(server.emulator.texts()).toEqual(['Settings']);
  });
});

test('reports a crash in one line, without a stack', async () => {
  const crashing = await startServer({ module: await crashingFirmware() });
  const pending = callJson('POST', `${crashing.api}/apdu`, { data: 'e002000000' });
  await crashing.emulator.waitForReview();
  const reply = await httpRequest('POST', `${crashing.api}/button/left`, {
    body: '{"action":"press-and-release"}',
  });
  expect([reply.status, JSON.parse(reply.body.toString())]).toEqual([
    500,
    { error: 'the firmware crashed: unreachable' },
  ]);
  expect(await pending).toEqual({ data: '6f00' });
  await crashing.close();
});
