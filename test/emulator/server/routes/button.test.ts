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

  test('ignores the release of a key that was not down', async () => {
    await button('right', 'release');
    expect(server.emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
  });

  test('accepts a delay', async () => {
    await callJson('POST', `${server.api}/button/right`, { action: 'press-and-release', delay: 0.1 });
    expect(server.emulator.texts()).toEqual(['Settings']);
  });

  test.each([
    ['/button/middle', '{"action":"press-and-release"}'],
    ['/button/left', '{"action":"hold"}'],
    ['/button/left', '{}'],
    ['/button/left', '{"action":"press","force":2}'],
  ])('answers 400 to %s %s', async (path, body) => {
    const reply = await httpRequest('POST', server.api + path, { body });
    expect([reply.status, JSON.parse(reply.body.toString())]).toEqual([400, { error: expect.any(String) }]);
  });

  test('lists the valid buttons in its error', async () => {
    const body = '{"action":"press"}';
    const reply = await httpRequest('POST', `${server.api}/button/middle`, { body });
    expect(JSON.parse(reply.body.toString()).error).toMatch(/one of the allowed values: left, right, both$/);
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
