import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TcpTransport } from '@zbc-signer/host/node';
import { bytesOf } from '../../../../../testkit/repository/vectors.js';

const COMMAND = bytesOf('e003000000');
/** The command in a frame: `length u32be, APDU` (docs/APDU.md#tcp). */
const FRAME = '00000005e003000000';

/** A server whose connections and bytes the test handles one by one. */
class FakeServer {
  readonly sockets: Socket[] = [];
  readonly #server: Server = createServer(socket =>
    this.sockets.push(socket.on('error', () => socket.destroy())),
  );

  async start(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async request(): Promise<Socket> {
    if (this.sockets.length === 0) await once(this.#server, 'connection');
    const socket = this.sockets.at(-1)!;
    const [frame] = await once(socket, 'data');
    expect(frame.toString('hex')).toBe(FRAME);
    return socket;
  }

  nextConnection(): Promise<unknown> {
    return once(this.#server, 'connection');
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

describe('TcpTransport', () => {
  let server: FakeServer;
  let transport: TcpTransport;
  let port: number;

  beforeEach(async () => {
    server = new FakeServer();
    port = await server.start();
    transport = new TcpTransport({ port });
  });

  afterEach(async () => {
    transport.close();
    await server.stop();
  });

  test('writes the length before the command, and removes the length from the reply', async () => {
    const reply = transport.exchange(COMMAND);
    (await server.request()).write(bytesOf('00000003aabbcc9000'));
    expect(await reply).toEqual(bytesOf('aabbcc9000'));
  });

  test('reads a reply that arrives byte by byte', async () => {
    const reply = transport.exchange(COMMAND);
    const socket = await server.request();
    for (const byte of bytesOf('00000001aa9000')) {
      socket.write(Uint8Array.of(byte));
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(await reply).toEqual(bytesOf('aa9000'));
  });

  test('keeps the connection for the next exchange', async () => {
    for (const _ of ['first', 'second']) {
      const reply = transport.exchange(COMMAND);
      (await server.request()).write(bytesOf('000000009000'));
      expect(await reply).toEqual(bytesOf('9000'));
    }
    expect(server.sockets).toHaveLength(1);
  });

  test('reports that nothing listens at the port', async () => {
    await server.stop();
    await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
      code: 'DEVICE_NOT_FOUND',
      message: `nothing listens at 127.0.0.1:${port}`,
    });
    await server.start();
  });

  test.each([
    ['closed in the middle of a review', '', 'end'],
    ['closed in the middle of a length', '0000', 'end'],
    ['closed in the middle of a reply', '00000003aabb', 'end'],
    ['reset in the middle of a reply', '00000003aabb', 'resetAndDestroy'],
  ] as const)(
    'fails when the connection is %s, and connects again for the next exchange',
    async (_when, half, ends) => {
      const review = transport.exchange(COMMAND);
      const socket = await server.request();
      await new Promise<void>(resolve => void socket.write(bytesOf(half), () => resolve()));
      socket[ends]();
      await expect(review).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
      const connected = server.nextConnection();
      const next = transport.exchange(COMMAND);
      await connected;
      (await server.request()).write(bytesOf('000000009000'));
      expect(await next).toEqual(bytesOf('9000'));
    },
  );

  test('an abort closes the connection and rejects the exchange; the next exchange opens a new connection', async () => {
    const abort = new AbortController();
    const review = transport.exchange(COMMAND, abort.signal);
    const socket = await server.request();
    const closed = once(socket, 'close');
    abort.abort();
    await expect(review).rejects.toMatchObject({ code: 'ABORTED' });
    await closed;
    const connected = server.nextConnection();
    const next = transport.exchange(COMMAND);
    await connected;
    (await server.request()).write(bytesOf('000000009000'));
    expect(await next).toEqual(bytesOf('9000'));
  });

  test.each([
    ['a length that is longer than any reply', 'ffffffff'],
    ['more than one reply', '0000000090009000'],
  ])('rejects %s as a reply', async (_what, bytes) => {
    const reply = transport.exchange(COMMAND);
    (await server.request()).write(bytesOf(bytes));
    await expect(reply).rejects.toMatchObject({ code: 'INVALID_REPLY' });
  });

  test('drops a connection that sends unrequested bytes', async () => {
    const reply = transport.exchange(COMMAND);
    const socket = await server.request();
    socket.write(bytesOf('000000009000'));
    await reply;
    const closed = once(socket, 'close');
    socket.write(bytesOf('000000026985'));
    await closed;
  });

  test('close ends a waiting exchange', async () => {
    const review = transport.exchange(COMMAND);
    await server.request();
    transport.close();
    await expect(review).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' });
  });
});

test('a command that was aborted before the connection is never sent', async () => {
  const server = new FakeServer();
  const transport = new TcpTransport({ port: await server.start() });
  const abort = new AbortController();
  const aborted = transport.exchange(COMMAND, abort.signal);
  abort.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
  const next = transport.exchange(COMMAND);
  (await server.request()).write(bytesOf('000000009000'));
  expect(await next).toEqual(bytesOf('9000'));
  expect(server.sockets).toHaveLength(1);
  transport.close();
  await server.stop();
});
