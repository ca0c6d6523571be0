import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { WebDevices } from '@zbc-signer/web';
import { startServer } from '../../testkit/device/device-host.js';

const openChannel = () => ({ postMessage() {}, addEventListener() {}, close() {} });
const devices = new WebDevices({ browser: { fetch, openChannel } });
const signerAt = (url: string) => new Signer(devices.emulator(url).open());

/** Returns a URL at which nothing listens. */
async function freeUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

test('a missing emulator is reported as not found, with its URL and how to start it', async () => {
  const url = await freeUrl();
  await expect(signerAt(url).getVersion()).rejects.toMatchObject({
    code: 'DEVICE_NOT_FOUND',
    message: `nothing answers at ${url}`,
    hint: expect.stringContaining('zbc-signer emulator'),
  });
});

test('an emulator that stops is reported as disconnected, and then as not found', async () => {
  const server: EmulatorServer = await startServer();
  const signer = signerAt(server.api);
  await signer.getVersion();
  await server.close();
  await expect(signer.getVersion()).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  await expect(signer.getVersion()).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
});

test('a command does not follow a redirection to another machine', async () => {
  let isReached = false;
  const other = createServer((_, response) => {
    isReached = true;
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => other.once('listening', resolve));
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/apdu`;
  const server = createServer((_, response) => response.writeHead(307, { location }).end());
  server.listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const signer = signerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const failure = await signer.getVersion().catch(error => error);
  expect([failure.code, isReached]).toEqual(['DEVICE_NOT_FOUND', false]);
  for (const each of [server, other]) {
    each.closeAllConnections();
    each.close();
  }
});

test('an answer that never ends is refused before it fills the memory', async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const signer = signerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(signer.getVersion()).rejects.toMatchObject({ code: 'INVALID_REPLY' });
  expect(sent).toBeLessThan(16_000_000);
  server.closeAllConnections();
  server.close();
});
