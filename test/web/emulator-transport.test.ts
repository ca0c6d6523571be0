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
