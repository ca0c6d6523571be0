import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { startServer } from '../../../testkit/device/device-host.js';
import { HoldingRelay } from '../../../testkit/guest/holding-relay.js';

const HEADER = 48;
const REPORT = 64;
const IMPORT = Buffer.concat([Buffer.from('0111800300000000', 'hex'), Buffer.from('1-1')], 40);
/** GET_PUBLIC_KEY, whose reply consists of two reports. */
const COMMAND = Buffer.concat([Buffer.from('12340500000009e00500000400000000', 'hex')], REPORT);

let server: EmulatorServer;
let relay: HoldingRelay;
let kernel: Socket;
beforeEach(async () => {
  server = await startServer({ usbipPort: 'auto' });
  relay = await HoldingRelay.start(server.usbipPort!);
  kernel = await attach();
});
afterEach(async () => {
  kernel.destroy();
  await server.close();
  await relay.close();
});

async function attach(): Promise<Socket> {
  const socket = connect(relay.port, '127.0.0.1');
  socket.write(IMPORT);
  await read(socket, 320);
  return socket;
}

async function read(socket: Socket, length: number): Promise<Buffer> {
  while (socket.readableLength < length) {
    if (socket.destroyed) throw new Error('the relay closed the connection');
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
  return socket.read(length) as Buffer;
}

/** A transfer on the HID endpoint. */
function submit(sequence: number, data?: Buffer): void {
  const header = Buffer.alloc(HEADER);
  [1, sequence, 0x10002, data === undefined ? 1 : 0, 1, 0, REPORT].forEach((field, at) => {
    header.writeUInt32BE(field, 4 * at);
  });
  kernel.write(data === undefined ? header : Buffer.concat([header, data]));
}

/** Sends the command, with two open transfers for its reply; the command's own transfer completes first. */
async function sendCommand(): Promise<void> {
  submit(1);
  submit(2);
  submit(3, COMMAND);
  await read(kernel, HEADER);
}

const sequenceOf = (message: Buffer) => message.readUInt16BE(HEADER + 3);

test('the relay passes whole replies on until it is asked to hold one', async () => {
  await sendCommand();
  const [first, second] = [await read(kernel, HEADER + REPORT), await read(kernel, HEADER + REPORT)];
  expect([first, second].map(sequenceOf)).toEqual([0, 1]);
});

test('the relay passes only the first report of a held reply, and none of the rest until the next attachment', async () => {
  const response = await fetch(`http://127.0.0.1:${relay.controlPort}/`);
  await sendCommand();
  expect(sequenceOf(await read(kernel, HEADER + REPORT))).toBe(0);
  await response.text();
  // A control transfer still passes after the report that was held back.
  const setup = Buffer.alloc(HEADER);
  [1, 4, 0x10002, 1, 0, 0, 18].forEach((field, at) => {
    setup.writeUInt32BE(field, 4 * at);
  });
  setup.write('8006000100001200', 40, 'hex');
  kernel.write(setup);
  const descriptor = await read(kernel, HEADER + 18);
  expect(descriptor.readUInt32BE(4)).toBe(4);
  kernel.destroy();
  await once(kernel, 'close');
  do kernel = await attach().catch(() => kernel);
  while (kernel.destroyed);
  await sendCommand();
  await read(kernel, HEADER + REPORT);
  expect(sequenceOf(await read(kernel, HEADER + REPORT))).toBe(1);
});
