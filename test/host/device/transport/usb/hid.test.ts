import { EventEmitter } from 'node:events';
import { HidTransport } from '@zbc-signer/host/node';
import type { HidDeviceInfo, HidHandle, HidSystem } from '#host/device/transport/usb/hid-device.js';
import { bytesOf } from '../../../../../testkit/repository/vectors.js';
import { expectRestBeforeNext } from '../abandoned-command.js';

const SIGNER: HidDeviceInfo = { path: 'signer', interface: 0, usagePage: 0xffa0 };
const COMMAND = bytesOf('e003000000');
const settle = () => new Promise(resolve => setImmediate(resolve));

/** A simulated device. It records the written reports and can send reports. */
class FakeDevice extends EventEmitter implements HidHandle {
  readonly written: number[][] = [];
  closed = false;
  broken = false;

  async write(report: Buffer): Promise<number> {
    if (this.broken) throw new Error('Cannot write to hid device');
    this.written.push([...report]);
    return report.length;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  get channel(): number {
    const [, high = 0, low = 0] = this.written.at(-1) ?? [];
    return high * 256 + low;
  }

  /** Sends a reply of at most 57 bytes in one report. */
  reply(hex: string, channel = this.channel): void {
    const report = Buffer.alloc(64);
    report.writeUInt16BE(channel, 0);
    report.writeUInt8(5, 2);
    report.writeUInt16BE(hex.length / 2, 5);
    report.write(hex, 7, 'hex');
    this.emit('data', report);
  }
}

class FakeSystem implements HidSystem {
  readonly devices: FakeDevice[] = [];
  readonly asked: [number, number][] = [];
  readonly opened: string[] = [];
  listed: HidDeviceInfo[] = [SIGNER];
  refuses = false;

  async list(vendorId: number, productId: number): Promise<HidDeviceInfo[]> {
    this.asked.push([vendorId, productId]);
    return this.listed;
  }

  async open(path: string): Promise<HidHandle> {
    this.opened.push(path);
    if (this.refuses) throw new Error('cannot open device with path signer');
    this.devices.push(new FakeDevice());
    return this.device;
  }

  get device(): FakeDevice {
    return this.devices.at(-1)!;
  }
}

let system: FakeSystem;
let transport: HidTransport;
beforeEach(() => {
  system = new FakeSystem();
  transport = new HidTransport({ system });
});

/** Sends a command, and has the device reply. */
async function exchange(hex = '9000', sent = transport, command = COMMAND): Promise<string> {
  const reply = sent.exchange(command);
  await settle();
  system.device.reply(hex);
  return Buffer.from(await reply).toString('hex');
}

describe('HidTransport', () => {
  test('writes reports of 65 bytes that begin with the report id, and reads the reply', async () => {
    const reply = transport.exchange(COMMAND);
    await settle();
    const [report = []] = system.device.written;
    expect(report).toHaveLength(65);
    expect(Buffer.from([report[0]!, ...report.slice(3, 13)]).toString('hex')).toBe('000500000005e003000000');
    system.device.reply('9000');
    expect(await reply).toEqual(bytesOf('9000'));
    expect(system.asked).toEqual([[0x1209, 0x0001]]);
  });

  test('ignores replies to other processes', async () => {
    const reply = transport.exchange(COMMAND);
    await settle();
    system.device.reply('6901', system.device.channel ^ 1);
    system.device.reply('9000');
    expect(await reply).toEqual(bytesOf('9000'));
  });

  test('keeps the device open, and ignores reports between two exchanges', async () => {
    for (const answer of ['9000', 'ab9000']) {
      expect(await exchange(answer)).toBe(answer);
      system.device.reply('6f00');
    }
    expect(system.devices).toHaveLength(1);
  });

  test('accepts the vendor and product ids of another manufacturer', async () => {
    await exchange('9000', new HidTransport({ system, vendorId: 0x1234, productId: 0x5678 }));
    expect(system.asked).toEqual([[0x1234, 0x5678]]);
  });

  test('finds the interface by its number where no usage page is known', async () => {
    system.listed = [
      { path: 'keyboard', interface: 1, usagePage: 1 },
      { path: 'signer', interface: 0 },
    ];
    expect(await exchange()).toBe('9000');
  });

  test('reports that no device is connected, and what to do', async () => {
    system.listed = [];
    await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
      code: 'DEVICE_NOT_FOUND',
      message: 'no signer is connected (USB 1209:0001)',
      hint: expect.stringMatching(/Plug it in.*udev-rules/),
    });
  });

  test('reports that a path belongs to another interface', async () => {
    system.listed = [{ path: 'keyboard', interface: 1, usagePage: 1 }, SIGNER];
    await expect(new HidTransport({ system, path: 'keyboard' }).exchange(COMMAND)).rejects.toMatchObject({
      code: 'WRONG_INTERFACE',
      message: 'keyboard is not the HID interface of a signer',
    });
  });

  test('uses another channel for the next command, so that a repeated reply is ignored', async () => {
    await exchange();
    const repeated = system.device.channel;
    const next = transport.exchange(COMMAND);
    await settle();
    system.device.reply('9000', repeated);
    system.device.reply('ab9000');
    expect(await next).toEqual(bytesOf('ab9000'));
  });

  test('keeps one channel from a header to the last chunk, and changes it between uploads', async () => {
    const channelOf = async (hex: string) => {
      await exchange('9000', transport, bytesOf(hex));
      return system.device.channel;
    };
    for (const ins of ['06', '07']) {
      const [header, chunk] = [`e0${ins}000000`, `e0${ins}01000161`];
      const upload = await channelOf(header);
      const sent = [chunk, chunk, 'e003000000', chunk, header].map(
        hex => async () => (await channelOf(hex)) === upload,
      );
      const isSame: boolean[] = [];
      for (const send of sent) isSame.push(await send());
      expect(isSame).toEqual([true, true, true, false, false]);
    }
  });

  test('ends its own abandoned review if the device is busy with it, and sends the command again', async () => {
    const reply = transport.exchange(COMMAND);
    await settle();
    const { channel, written } = system.device;
    system.device.reply('6901');
    while (written.length < 3) await settle();
    expect(written[1]?.slice(0, 4)).toEqual([0, channel >> 8, channel & 0xff, 6]);
    system.device.reply('6901');
    expect(await reply).toEqual(bytesOf('6901'));
    expect(written).toHaveLength(3);
  });

  test('reports what is needed when the system cannot list its devices', async () => {
    const cause = new Error('libusb-1.0.so.0: cannot open shared object file: No such file or directory');
    const system = { list: () => Promise.reject(cause), open: () => Promise.reject(cause) };
    await expect(new HidTransport({ system }).exchange(COMMAND)).rejects.toMatchObject({
      code: 'TRANSPORT_FAILED',
      hint: expect.stringContaining('libusb-1.0-0'),
      cause,
    });
  });

  test('reports that node-hid is missing when it is not installed', async () => {
    const cause = new Error(
      "Cannot find package 'node-hid' imported from /app/node_modules/@zbc-signer/host",
    );
    const system = { list: () => Promise.reject(cause), open: () => Promise.reject(cause) };
    await expect(new HidTransport({ system }).exchange(COMMAND)).rejects.toMatchObject({
      code: 'TRANSPORT_FAILED',
      hint: 'Install the package node-hid: npm install node-hid.',
    });
  });

  test('reports that this user may not open the device, and what to do', async () => {
    system.refuses = true;
    await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
      code: 'DEVICE_NOT_ACCESSIBLE',
      hint: expect.stringContaining('udev-rules'),
    });
    system.refuses = false;
    expect(await exchange()).toBe('9000');
  });

  test('fails when the device is unplugged in the middle of a review, and opens the device again later', async () => {
    const review = transport.exchange(COMMAND);
    await settle();
    system.device.emit('error', new Error('could not read from HID device'));
    await expect(review).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
    expect(system.device.closed).toBe(true);
    expect(await exchange()).toBe('9000');
    expect(system.devices).toHaveLength(2);
  });

  test('opens the device again after it was unplugged between two exchanges', async () => {
    await exchange();
    system.device.emit('error', new Error('could not read from HID device'));
    await exchange();
    expect(system.devices).toHaveLength(2);
  });

  test.each([
    ['with serial numbers', 'A1', 'B2', 'moved'],
    ['without serial numbers', undefined, undefined, 'other'],
  ])(
    'keeps the first device %s while it is listed, and lists again after that',
    async (_, one, two, next) => {
      const other = { ...SIGNER, path: 'other', serialNumber: two };
      for (const listed of [
        [{ ...SIGNER, serialNumber: one }],
        [other, { ...SIGNER, serialNumber: one }],
        [other, { ...SIGNER, path: 'moved', serialNumber: one }],
        [other],
      ]) {
        system.listed = listed;
        await exchange();
        system.device.emit('error', new Error('could not read from HID device'));
      }
      expect(system.opened).toEqual(['signer', 'signer', next, 'other']);
    },
  );

  test('fails when a report cannot be written', async () => {
    await exchange();
    system.device.broken = true;
    await expect(transport.exchange(COMMAND)).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  });

  test('uses another channel after an abort, so that a late reply is ignored', async () => {
    const abort = new AbortController();
    const review = transport.exchange(COMMAND, abort.signal);
    await settle();
    const late = system.device.channel;
    abort.abort();
    await expect(review).rejects.toMatchObject({ code: 'ABORTED' });
    const next = transport.exchange(COMMAND);
    await settle();
    expect(system.device.channel).not.toBe(late);
    system.device.reply('b1019000', late);
    system.device.reply('6982');
    expect(await next).toEqual(bytesOf('6982'));
    expect(system.devices).toHaveLength(1);
  });

  test('writes the rest of an aborted command before it writes the next command', async () => {
    await exchange();
    const { device } = system;
    const write = device.write.bind(device);
    device.written.length = 0;
    device.write = async report => {
      await settle();
      return write(report);
    };
    const headers = () => device.written.map(report => [report[3]!, report[5]!] as const);
    await expectRestBeforeNext(transport, headers, () => device.reply('9000'));
  });

  test('fails for a reply whose reports are out of order', async () => {
    const reply = transport.exchange(COMMAND);
    await settle();
    const report = Buffer.alloc(64);
    report.writeUInt16BE(system.device.channel, 0);
    report.set([5, 0, 1], 2);
    system.device.emit('data', report);
    await expect(reply).rejects.toMatchObject({ code: 'INVALID_REPLY' });
  });

  test('close ends a waiting exchange', async () => {
    const review = transport.exchange(COMMAND);
    await settle();
    await Promise.all([
      transport.close(),
      expect(review).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' }),
    ]);
    expect(system.device.closed).toBe(true);
  });
});
