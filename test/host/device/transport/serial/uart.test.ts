import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { UartTransport } from '@zbc-signer/host/node';
import { encodePacket, PacketReader } from '../../../../../testkit/boards/qemu/packets.js';
import { bytesOf } from '../../../../../testkit/repository/vectors.js';

const VERSION = bytesOf('e003000000');
const damaged = (text: string) => {
  throw new Error(text);
};

/** A signer that answers each command with this reply. */
class SignerOnUart {
  readonly types: string[] = [];
  connections = 0;
  #socket: Socket | undefined;
  readonly #server: Server = createServer(socket => this.#serve(socket));

  constructor(
    private readonly reply: string | undefined,
    /** Number of the last report of each command. */
    private readonly last = 0,
  ) {}

  async start(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  drop(): void {
    this.#socket?.destroy();
  }

  stop(): void {
    this.drop();
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.connections += 1;
    this.#socket = socket;
    const reader = new PacketReader(damaged);
    let isWanted = false;
    socket.on('error', () => undefined);
    socket.on('data', chunk => {
      for (const { type, body } of reader.take(chunk)) {
        this.types.push(type);
        if (type === 'R' && !isWanted) damaged('a report that nobody wanted');
        if (type === 'R' && this.reply !== undefined && body[4] === this.last)
          socket.write(encodePacket('R', this.#answer(body)));
        isWanted = false;
        setImmediate(() => {
          isWanted = true;
          // A host must ignore frames of the screen, which are meant for a panel.
          socket.write(encodePacket('F', new Uint8Array(1025)));
          socket.write(encodePacket('A'));
        });
      }
    });
  }

  #answer(report: Uint8Array): Uint8Array {
    const reply = bytesOf(this.reply!);
    const answer = new Uint8Array(64);
    answer.set([...report.subarray(0, 3), 0, 0, 0, reply.length, ...reply]);
    return answer;
  }
}

let signer: SignerOnUart;

afterEach(() => {
  jest.useRealTimers();
  signer.stop();
});

test('resets the link, waits until the device requests a report, and reads the reply', async () => {
  // The transport asks again after a second, in which a busy computer may not have run the signer.
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  signer = new SignerOnUart('aabb9000');
  const transport = new UartTransport({ port: await signer.start() });
  expect(await transport.exchange(VERSION)).toEqual(bytesOf('aabb9000'));
  expect(await transport.exchange(VERSION)).toEqual(bytesOf('aabb9000'));
  await transport.close();
  expect(signer.types).toEqual(['C', 'R', 'R']);
});

test('sends each report of a command only when the device requests it', async () => {
  signer = new SignerOnUart('9000', 3);
  const transport = new UartTransport({ port: await signer.start() });
  expect(await transport.exchange(new Uint8Array(200))).toEqual(bytesOf('9000'));
  await transport.close();
  expect(signer.types).toEqual(['C', 'R', 'R', 'R', 'R']);
});

test('two transports to one UART share its connection, which is closed with the last transport', async () => {
  signer = new SignerOnUart('9000');
  const port = await signer.start();
  const [one, other] = [new UartTransport({ port }), new UartTransport({ port })];
  await Promise.all([one.exchange(VERSION), other.exchange(VERSION)]);
  await one.close();
  await other.exchange(VERSION);
  expect(signer.connections).toBe(1);
  await other.close();
  await one.exchange(VERSION);
  await one.close();
  expect(signer.connections).toBe(2);
});

test('when the connection ends, the command fails and the next command connects again', async () => {
  signer = new SignerOnUart(undefined);
  const transport = new UartTransport({ port: await signer.start() });
  const lost = transport.exchange(VERSION);
  while (!signer.types.includes('R')) await new Promise(resolve => setTimeout(resolve, 5));
  signer.drop();
  await expect(lost).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  const again = transport.exchange(VERSION);
  again.catch(() => undefined);
  while (signer.connections < 2) await new Promise(resolve => setTimeout(resolve, 5));
  await transport.close();
});

test('a silent UART is reported as DEVICE_NOT_FOUND', async () => {
  signer = new SignerOnUart(undefined);
  const port = await signer.start();
  signer.stop();
  const transport = new UartTransport({ port });
  await expect(transport.exchange(VERSION)).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
});
