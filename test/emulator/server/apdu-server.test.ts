import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { Signer, TcpTransport } from '@zbc-signer/host/node';
import { P1_REVEAL } from '@zbc-signer/protocol/commands';
import { signMessage } from '../../../testkit/device/apdu.js';
import {
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
  GET_VERSION_HEX,
} from '../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../testkit/device/device-host.js';

const messageUpload = signMessage(0, Buffer.alloc(600, 'a'));
let server: EmulatorServer;
let sockets: Socket[];

beforeEach(async () => {
  server = await startServer();
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

async function open(): Promise<Socket> {
  const socket = connect(server.apduPort, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Length and bytes of a command, in hex. */
const frame = (apduHex: string) => (apduHex.length / 2).toString(16).padStart(8, '0') + apduHex;
/** A framed reply in hex: the length of the data, the data, and the status word. */
const framed = (replyHex: string) => (replyHex.length / 2 - 2).toString(16).padStart(8, '0') + replyHex;

async function readBytes(socket: Socket, count: number): Promise<string> {
  let received = Buffer.alloc(0);
  while (received.length < count) received = Buffer.concat([received, (await once(socket, 'data'))[0]]);
  return received.toString('hex');
}

async function call(socket: Socket, apduHex: string): Promise<string> {
  socket.write(Buffer.from(frame(apduHex), 'hex'));
  return (await once(socket, 'data'))[0].toString('hex');
}

describe('the APDU port', () => {
  test('lets a host ask for the check of nonces without taking the approval of another', async () => {
    const connection = () => new TcpTransport({ port: server.apduPort });
    const other = new Signer(connection());
    const road = connection();
    let hasCheck: boolean | undefined;
    const signer = new Signer({
      exchange: async (apdu, signal) => {
        if (apdu[2] === P1_REVEAL) hasCheck = await other.hasAntiExfil();
        return road.exchange(apdu, signal);
      },
      close: () => road.close(),
    });
    const signing = signer.signMessage(0, Buffer.from('a message'), { antiExfil: true });
    await server.emulator.waitForReview();
    await expect(other.hasAntiExfil()).rejects.toMatchObject({ code: 'BUSY' });
    await server.emulator.approve();
    expect([(await signing).antiExfil, hasCheck]).toEqual([{ withheld: 0 }, true]);
    await Promise.all([other.close(), signer.close()]);
  });

  test('answers a command in one write', async () => {
    const reply = await call(await open(), GET_VERSION_HEX);
    expect(reply).toBe(framed(reply.slice(8)));
    expect(reply).toMatch(/9000$/);
  });

  test('drops only the upload of the client that disconnects', async () => {
    const [first, other] = [await open(), await open()];
    const header = Buffer.from(messageUpload[0]!).toString('hex');
    const chunk = Buffer.from(messageUpload[1]!).toString('hex');
    let cancels = 0;
    server.emulator.on('input', input => {
      if ('cancel' in input) cancels += 1;
    });
    expect(await call(first, header)).toBe(framed('9000'));
    expect(await call(other, GET_VERSION_HEX)).toMatch(/9000$/);
    expect(await call(other, chunk)).toBe(framed('6902'));
    other.destroy();
    await setTimeout(20);
    expect(await call(first, chunk)).toBe(framed('9000'));
    expect(cancels).toBe(0);
    first.destroy();
    await setTimeout(20);
    expect(cancels).toBe(1);
    expect(await call(await open(), chunk)).toMatch(/6[0-9a-f]{3}$/);
    expect(server.emulator.reviewing).toBe(false);
  });

  test('accepts a command that arrives byte by byte', async () => {
    const socket = await open();
    socket.setNoDelay(true);
    for (const byte of Buffer.from(frame('b001000000'), 'hex')) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    const [reply] = await once(socket, 'data');
    expect(String(reply)).toContain('ZBC Signer');
  });

  test('answers two commands that arrive together, in order', async () => {
    const socket = await open();
    socket.write(Buffer.from(frame('e0ff000000') + frame('ff00000000'), 'hex'));
    expect(await readBytes(socket, 12)).toBe(framed('6d00') + framed('6e00'));
  });

  test('holds a reply until the user has decided, and answers BUSY to other clients meanwhile', async () => {
    const [first, second] = [await open(), await open()];
    const pending = call(first, CONFIRM_ADDRESS_HEX);
    await server.emulator.waitForReview();
    expect(await call(second, GET_VERSION_HEX)).toBe(framed('6901'));
    await server.emulator.approve();
    expect(await pending).toBe(framed(CONFIRMED_HEX));
  });

  test('drops the review when its client hangs up', async () => {
    const socket = await open();
    socket.write(Buffer.from(frame(CONFIRM_ADDRESS_HEX), 'hex'));
    await server.emulator.waitForReview();
    const menu = once(server.emulator, 'screen');
    socket.destroy();
    await menu;
    expect(server.emulator.reviewing).toBe(false);
    expect(server.emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
  });

  test('keeps the review when another client hangs up', async () => {
    const [first, second] = [await open(), await open()];
    const pending = call(first, CONFIRM_ADDRESS_HEX);
    await server.emulator.waitForReview();
    await call(second, GET_VERSION_HEX);
    second.destroy();
    await once(second, 'close');
    await call(await open(), GET_VERSION_HEX);
    expect(server.emulator.reviewing).toBe(true);
    await server.emulator.approve();
    expect(await pending).toBe(framed(CONFIRMED_HEX));
  });

  test.each(['00000000', '00000106', 'ffffffff', '47455420'])(
    'closes the connection on the invalid length %s, and still serves other clients',
    async length => {
      const socket = await open();
      const closed = new Promise(resolve => socket.once('close', resolve));
      socket.resume().on('error', () => undefined);
      socket.write(Buffer.from(length, 'hex'));
      await closed;
      expect(await call(await open(), GET_VERSION_HEX)).toMatch(/9000$/);
    },
  );
});
