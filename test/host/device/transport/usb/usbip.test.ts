import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type EmulatorServer, startEmulatorServer } from '@zbc-signer/emulator';
import { openTransport } from '@zbc-signer/host/node';
import { getPublicKey, send } from '../../../../../testkit/device/apdu.js';
import { accounts, bytesOf } from '../../../../../testkit/repository/vectors.js';

const VERSION = bytesOf('e003000000');

let server: EmulatorServer;
beforeEach(async () => {
  server = await startEmulatorServer({ apiPort: 0, apduPort: 0, ledgerPort: 0, usbipPort: 'auto' });
});
afterEach(() => server.close());

const open = (port = server.usbipPort) => openTransport(`usbip://127.0.0.1:${port}`);

test('a USB/IP server is reached without a kernel: commands, replies of several reports, and a review', async () => {
  const transport = open();
  const exchange = async (apdu: Uint8Array) => Buffer.from(await transport.exchange(apdu));
  const [{ public_key: key, address }] = accounts.cases as [(typeof accounts.cases)[0]];
  for (const isConfirmed of [false, true]) {
    const reply = send(exchange, [getPublicKey(0, isConfirmed)]);
    if (isConfirmed) await server.emulator.approve();
    expect((await reply).data.toString('hex')).toBe(key + Buffer.from(address).toString('hex'));
  }
  await transport.close();
});

test('the device is unplugged by close, and plugged in again by the next command', async () => {
  const [first, second] = [open(), open()];
  const version = await first.exchange(VERSION);
  await expect(second.exchange(VERSION)).rejects.toMatchObject({
    code: 'DEVICE_NOT_FOUND',
    message: expect.stringContaining('offers no USB device 1-1'),
  });
  await first.close();
  expect(await second.exchange(VERSION)).toEqual(version);
  await second.close();
});

test.each([
  ['closes the connection', '', 'DEVICE_DISCONNECTED'],
  ['speaks another protocol', 'HTTP/1.1 400 Bad Request', 'DEVICE_NOT_FOUND'],
])('a server that %s is reported', async (_what, answer, code) => {
  const other = createServer(socket => socket.end(answer)).listen(0, '127.0.0.1');
  await once(other, 'listening');
  await expect(open((other.address() as AddressInfo).port).exchange(VERSION)).rejects.toMatchObject({ code });
  other.close();
});

test('a server that ends during a review fails the command', async () => {
  const transport = open();
  const reply = transport.exchange(getPublicKey(0, true));
  await server.emulator.waitForReview();
  const lost = expect(reply).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  await server.close();
  await lost;
});
