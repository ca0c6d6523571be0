import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Emulator, type EmulatorServer, startEmulatorServer } from '@zbc-signer/emulator';
import { GET_APP_VERSION, getPublicKey } from '../../../testkit/device/apdu.js';
import { framed, unframed } from '../../../testkit/device/reports.js';

// Numbers from the kernel's description of USB/IP and from USB 2.0, written independently of the sources.
const IMPORT = Buffer.concat([Buffer.from('0111800300000000', 'hex'), Buffer.from('1-1')], 40);
const IN = 1;
const OUT = 0;

let server: EmulatorServer;
beforeEach(async () => {
  server = await startEmulatorServer({
    apiPort: 0,
    apduPort: 0,
    ledgerPort: 0,
    usbipPort: 'auto',
    usb: { serialNumber: 'TEST01' },
  });
});
afterEach(() => server.close());

/** A host's side of the connection, which reads data by length. */
class Host {
  #unread = Buffer.alloc(0);
  #sequence = 0;

  private constructor(readonly socket: Socket) {
    socket.on('data', chunk => {
      this.#unread = Buffer.concat([this.#unread, chunk]);
      socket.emit('more');
    });
    socket.on('error', () => undefined);
  }

  static async open(): Promise<Host> {
    const socket = connect(server.usbipPort, '127.0.0.1');
    await once(socket, 'connect');
    return new Host(socket);
  }

  static async attached(): Promise<Host> {
    const host = await Host.open();
    host.socket.write(IMPORT);
    expect((await host.read(320)).readUInt32BE(4)).toBe(0);
    return host;
  }

  async read(length: number): Promise<Buffer> {
    while (this.#unread.length < length) await once(this.socket, 'more');
    const taken = this.#unread.subarray(0, length);
    this.#unread = this.#unread.subarray(length);
    return taken;
  }

  submit(endpoint: number, direction: number, data: Uint8Array | number, setup = '0000000000000000'): number {
    const header = Buffer.alloc(48);
    this.#sequence += 1;
    const length = typeof data === 'number' ? data : data.length;
    [1, this.#sequence, 0x10002, direction, endpoint, 0, length].forEach((field, at) => {
      header.writeUInt32BE(field, 4 * at);
    });
    header.set(Buffer.from(setup, 'hex'), 40);
    this.socket.write(Buffer.concat([header, typeof data === 'number' ? Buffer.alloc(0) : data]));
    return this.#sequence;
  }

  unlink(sequence: number): void {
    const header = Buffer.alloc(48);
    this.#sequence += 1;
    [2, this.#sequence, 0x10002, 0, 0, sequence].forEach((field, at) => {
      header.writeUInt32BE(field, 4 * at);
    });
    this.socket.write(header);
  }

  /** The status and data of the next completed transfer. */
  async ended(
    withData = false,
  ): Promise<{ command: number; sequence: number; status: number; data: Buffer }> {
    const header = await this.read(48);
    const length = withData ? header.readUInt32BE(24) : 0;
    return {
      command: header.readUInt32BE(0),
      sequence: header.readUInt32BE(4),
      status: header.readInt32BE(20),
      data: await this.read(length),
    };
  }

  async control(setup: string, length = 255): Promise<Buffer | undefined> {
    this.submit(0, IN, length, setup);
    const { status, data } = await this.ended(true);
    return status === 0 ? data : undefined;
  }

  async exchange(endpoint: number, channel: number, apdu: Uint8Array, replyReports: number): Promise<string> {
    for (const report of framed(channel, apdu)) {
      this.submit(endpoint, OUT, report);
      expect((await this.ended()).status).toBe(0);
    }
    const reports: Buffer[] = [];
    for (let at = 0; at < replyReports; at += 1) {
      this.submit(endpoint, IN, 64);
      reports.push((await this.ended(true)).data);
    }
    return unframed(channel, reports)?.toString('hex') ?? 'no reply';
  }
}

test('lists one device at full speed with two interfaces, and hangs up', async () => {
  const host = await Host.open();
  host.socket.write(Buffer.from('0111800500000000', 'hex'));
  const reply = await host.read(12 + 312 + 8);
  expect(reply.toString('hex', 0, 12)).toBe('011100050000000000000001');
  expect(reply.toString('latin1', 12 + 256, 12 + 259)).toBe('1-1');
  expect(reply.readUInt32BE(12 + 296)).toBe(2);
  expect(reply.toString('hex', 12 + 300, 12 + 304)).toBe('12090001');
  expect(reply.toString('hex', 12 + 312)).toBe('03000000ff000000');
});

test('answers the descriptors that a kernel, Chrome and Windows ask for', async () => {
  const host = await Host.attached();
  const device = await host.control('8006000100001200');
  expect(device?.toString('hex')).toBe('120110020000004009120100000101020301');
  const report = await host.control('8106002200002200');
  expect(report?.toString('hex')).toBe(
    '06a0ff0901a1010903150026ff007508954081080904150026ff00750895409108c0',
  );
  const configuration = (await host.control('800600020000ff00'))!;
  for (const at of [9, 9 + 9 + 9 + 7 + 7]) {
    expect(configuration.toString('hex', at, at + 2)).toBe('0904');
    // The interface has no name, which the package usb would request while it opens the device.
    expect(configuration[at + 8]).toBe(0);
  }
  const serial = await host.control('800603030904ff00');
  expect(serial?.toString('utf16le', 2)).toBe('TEST01');
  const bos = (await host.control('8006000f0000ff00'))!;
  expect(bos.readUInt16LE(2)).toBe(bos.length);
  expect(bos.toString('hex')).toContain('38b6083409a9a0478bfda0768815b665');
  const msOs = (await host.control('c00200000700ff00'))!;
  expect(msOs.readUInt16LE(8)).toBe(msOs.length);
  expect(msOs.toString('latin1')).toContain('WINUSB');
  expect((await host.control('c00101000200ff00'))?.toString('latin1', 3)).toContain('127.0.0.1');
});

test('stalls requests that it does not know, and endpoints that it does not have', async () => {
  const host = await Host.attached();
  expect(await host.control('8006000600000a00')).toBeUndefined();
  expect(await host.control('a101000300004000')).toBeUndefined();
  host.submit(5, IN, 64);
  expect((await host.ended()).status).toBe(-32);
  host.submit(1, OUT, new Uint8Array(63));
  expect((await host.ended()).status).toBe(-32);
});

test('answers the mandatory GET_REPORT of HID with zeros, once it is configured', async () => {
  const host = await Host.attached();
  expect(await host.control('0009000000000000', 0)).toBeDefined();
  expect(await host.control('a101000100004000')).toBeUndefined();
  expect(await host.control('810a000000000100')).toBeUndefined();
  expect(await host.control('0009010000000000', 0)).toBeDefined();
  expect((await host.control('a101000100004000'))?.toString('hex')).toBe('00'.repeat(64));
  expect((await host.control('810a000000000100'))?.toString('hex')).toBe('00');
});

test.each([1, 2])('carries a command and its reply on endpoint %i', async endpoint => {
  const host = await Host.attached();
  const expected = await (await Emulator.start()).exchange(GET_APP_VERSION);
  expect(await host.exchange(endpoint, 0x1234, GET_APP_VERSION, 1)).toBe(
    Buffer.from(expected).toString('hex'),
  );
});

test('a review is decided by the buttons, and its reply goes to the transfer that waits', async () => {
  const host = await Host.attached();
  for (const report of framed(3, getPublicKey(0, true))) {
    host.submit(1, OUT, report);
    await host.ended();
  }
  const [first, second] = [host.submit(1, IN, 64), host.submit(1, IN, 64)];
  await server.emulator.approve();
  const replies = [await host.ended(true), await host.ended(true)];
  expect(replies.map(({ sequence }) => sequence)).toEqual([first, second]);
  const reply = unframed(
    3,
    replies.map(({ data }) => data),
  );
  expect(reply?.toString('hex')).toMatch(/9000$/);
});

test('a host that disconnects ends its review, and the next host can attach', async () => {
  const host = await Host.attached();
  for (const report of framed(3, getPublicKey(0, true))) {
    host.submit(1, OUT, report);
    await host.ended();
  }
  expect(server.emulator.reviewing).toBe(true);
  const menu = once(server.emulator, 'screen');
  host.socket.destroy();
  await menu;
  expect(server.emulator.reviewing).toBe(false);
  const next = await Host.attached();
  expect(await next.exchange(1, 1, GET_APP_VERSION, 1)).toMatch(/9000$/);
});

test('refuses a second host and an unknown bus id after the header', async () => {
  await Host.attached();
  for (const request of [IMPORT, Buffer.concat([IMPORT.subarray(0, 8), Buffer.from('9-9')], 40)]) {
    const other = await Host.open();
    other.socket.write(request);
    await once(other.socket, 'end');
    expect((await other.read(8)).toString('hex')).toBe('0111000300000001');
  }
});

test('an unlinked transfer is never answered, and the reply to the unlink says whether it was pending', async () => {
  const host = await Host.attached();
  const sequence = host.submit(1, IN, 64);
  host.unlink(sequence);
  expect(await host.ended()).toMatchObject({ command: 4, status: -104 });
  host.unlink(sequence);
  expect(await host.ended()).toMatchObject({ command: 4, status: 0 });
  expect(await host.exchange(1, 1, GET_APP_VERSION, 1)).toMatch(/9000$/);
});

test('garbage, an overlong transfer and an unknown device end only the connection', async () => {
  const bad = Buffer.alloc(48);
  bad.writeUInt32BE(9, 0);
  const long = Buffer.alloc(48);
  [1, 1, 0x10002, 0, 1, 0, 0x7fffffff].forEach((field, at) => {
    long.writeUInt32BE(field, 4 * at);
  });
  const stranger = Buffer.from(long);
  stranger.writeUInt32BE(0x20003, 8);
  for (const message of [bad, long, stranger]) {
    const host = await Host.attached();
    host.socket.write(message);
    await once(host.socket, 'close');
  }
  const host = await Host.attached();
  expect(await host.exchange(1, 1, GET_APP_VERSION, 1)).toMatch(/9000$/);
});

test('a host with more pending transfers than any kernel has is disconnected, and the next host can attach', async () => {
  const host = await Host.attached();
  // Pending data may end in a reset.
  host.socket.on('error', () => undefined);
  const closed = new Promise(resolve => host.socket.once('close', resolve));
  for (let count = 0; count < 1000; count += 1) host.submit(1, IN, 64);
  await closed;
  const next = await Host.attached();
  expect(await next.exchange(1, 1, GET_APP_VERSION, 1)).toMatch(/9000$/);
});
