import { jest } from '@jest/globals';
import { UsbTransport } from '@zbc-signer/host/node';
import type { UsbHandle, UsbSystem } from '#host/device/transport/usb/usb-device.js';
import { framed } from '../../../../../testkit/device/reports.js';
import { bytesOf } from '../../../../../testkit/repository/vectors.js';
import { expectRestBeforeNext } from '../abandoned-command.js';

const COMMAND = bytesOf('e004000000');
/** A GET_APP_VERSION command, which a signer answers at once. */
const PROBE = 'e003000000';
const DAY_MS = 24 * 3600 * 1000;
const settle = () => new Promise(resolve => setImmediate(resolve));

const endpoints = [
  { endpointNumber: 2, direction: 'in', type: 'bulk' },
  { endpointNumber: 2, direction: 'out', type: 'bulk' },
] as const;

/**
 * A simulated device with the interface of the package usb. It has one IN transfer at a time, which ends with
 * a report, when the device is unplugged, or with a reset. Other reports wait. It answers GET_APP_VERSION.
 */
class FakeHandle implements UsbHandle {
  readonly vendorId: number = 0x1209;
  readonly productId: number = 1;
  readonly productName = 'ZBC Signer';
  readonly bus = '001';
  readonly ports = [1];
  configuration: UsbHandle['configuration'] = {
    interfaces: [
      { interfaceNumber: 0, alternate: { interfaceClass: 3, endpoints: [] } },
      { interfaceNumber: 1, alternate: { interfaceClass: 0xff, endpoints } },
    ],
  };
  readonly calls: string[] = [];
  readonly written: Uint8Array[] = [];
  failsToOpen: string | undefined;
  failsToClaim: string | undefined;
  failsToClose: string | undefined;
  writeStatus = 'ok';
  isSilent = false;
  #reports: Uint8Array[] = [];
  #waiting:
    | { resolve(result: { data: DataView; status: string }): void; reject(cause: Error): void }
    | undefined;

  constructor(readonly serialNumber: string | null = 'SERIAL1') {}

  async open(): Promise<void> {
    if (this.failsToOpen !== undefined) throw new Error(this.failsToOpen);
    this.calls.push('open');
  }

  async close(): Promise<void> {
    this.calls.push('close');
    if (this.failsToClose !== undefined) throw new Error(this.failsToClose);
  }

  async claimInterface(number: number): Promise<void> {
    if (this.failsToClaim !== undefined) throw new Error(this.failsToClaim);
    this.calls.push(`claim ${number}`);
  }

  async releaseInterface(number: number): Promise<void> {
    this.calls.push(`release ${number}${this.isRead ? ' in use' : ''}`);
  }

  async reset(): Promise<void> {
    this.calls.push('reset');
    this.fail('transferIn error: Cancelled');
    await settle();
  }

  /**
   * Reads a report. The time limit must be long, because a transfer that it cancels may lose the next report.
   */
  transferIn(
    endpoint: number,
    length: number,
    timeoutMs: number,
  ): Promise<{ data: DataView; status: string }> {
    expect([endpoint, length]).toEqual([2, 64]);
    expect(timeoutMs).toBeGreaterThan(DAY_MS);
    expect(this.isRead).toBe(false);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#deliver();
    });
  }

  async transferOut(endpoint: number, data: Uint8Array): Promise<{ status: string }> {
    expect([endpoint, data.length]).toEqual([2, 64]);
    this.written.push(data);
    const isProbe = Buffer.from(data).subarray(7, 12).toString('hex') === PROBE;
    if (isProbe && !this.isSilent) this.send(...framed(this.channel, bytesOf('0100009000')));
    return { status: this.writeStatus };
  }

  /** Whether a transfer waits for a report. */
  get isRead(): boolean {
    return this.#waiting !== undefined;
  }

  /** Number of unread reports. */
  get unread(): number {
    return this.#reports.length;
  }

  get channel(): number {
    const [high = 0, low = 0] = this.written.at(-1) ?? [];
    return high * 256 + low;
  }

  send(...reports: Uint8Array[]): void {
    this.#reports.push(...reports);
    this.#deliver();
  }

  fail(message: string): void {
    this.#waiting?.reject(new Error(message));
    this.#waiting = undefined;
  }

  #deliver(): void {
    const [report] = this.#reports;
    if (this.#waiting === undefined || report === undefined) return;
    this.#reports.shift();
    this.#waiting.resolve({ data: new DataView(Uint8Array.from(report).buffer), status: 'ok' });
    this.#waiting = undefined;
  }
}

let handle: FakeHandle;
let system: UsbSystem & { listed: UsbHandle[] };
let transport: UsbTransport;
beforeEach(() => {
  handle = new FakeHandle();
  system = { listed: [handle], list: async () => system.listed };
  transport = new UsbTransport({ system });
});
afterEach(() => transport.close());

async function exchange(hex: string): Promise<Uint8Array> {
  const reply = transport.exchange(COMMAND);
  while (handle.written.length === 0) await settle();
  handle.send(...framed(handle.channel, bytesOf(hex)));
  return reply;
}

test('writes the rest of an aborted command before it writes the next command', async () => {
  await exchange('9000');
  handle.written.length = 0;
  const transferOut = handle.transferOut.bind(handle);
  handle.transferOut = async (endpoint, data) => {
    await settle();
    return transferOut(endpoint, data);
  };
  const headers = () => handle.written.map(report => [report[2]!, report[4]!] as const);
  await expectRestBeforeNext(transport, headers, () => {
    handle.transferOut = transferOut;
    handle.send(...framed(handle.channel, bytesOf('9000')));
  });
});

test('claims the vendor interface, writes reports of 64 bytes, and reads the reply', async () => {
  expect(await exchange('9000')).toEqual(bytesOf('9000'));
  expect(handle.calls).toEqual(['open', 'claim 1']);
  expect(Buffer.from(handle.written[0]!).subarray(2, 12).toString('hex')).toBe('0500000005e004000000');
  await transport.close();
  expect(handle.calls).toEqual(['open', 'claim 1', 'release 1', 'close']);
});

test('reads the remaining reports before it releases the interface', async () => {
  await exchange('9000');
  const late = framed(handle.channel ^ 1, new Uint8Array(200));
  handle.send(...late);
  await transport.close();
  expect(handle.calls).toEqual(['open', 'claim 1', 'release 1', 'close']);
  expect([handle.isRead, handle.unread]).toEqual([false, 0]);
});

test('resets a device that no longer answers when the transport is closed', async () => {
  await exchange('9000');
  handle.isSilent = true;
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const closed = transport.close();
  await jest.advanceTimersByTimeAsync(10_000);
  jest.useRealTimers();
  await closed;
  expect(handle.calls).toEqual(['open', 'claim 1', 'reset', 'release 1', 'close']);
});

test('writes nothing to an unplugged device when the transport is closed', async () => {
  await exchange('9000');
  const { length } = handle.written;
  handle.fail('transferIn error: Disconnected');
  await settle();
  await transport.close();
  expect(handle.written).toHaveLength(length);
  expect(handle.calls).toEqual(['open', 'claim 1', 'release 1', 'close']);
});

test('opens the device with a serial number, or at a path', async () => {
  system.listed = [new FakeHandle('OTHER'), handle];
  transport = new UsbTransport({ system, serialNumber: 'SERIAL1' });
  expect(await exchange('9000')).toEqual(bytesOf('9000'));
  await expect(new UsbTransport({ system, serialNumber: 'NONE' }).exchange(COMMAND)).rejects.toMatchObject({
    code: 'DEVICE_NOT_FOUND',
    hint: 'Connected: OTHER, SERIAL1.',
  });
  await expect(new UsbTransport({ system, path: '001-9' }).exchange(COMMAND)).rejects.toMatchObject({
    message: 'no connected signer has the path 001-9',
  });
});

test('keeps the first device while it is listed', async () => {
  await exchange('9000');
  await transport.close();
  const calls = handle.calls.length;
  system.listed = [new FakeHandle('OTHER'), handle];
  Object.assign(system.listed[0]!, { ports: [2] });
  handle.written.length = 0;
  await exchange('9000');
  expect(handle.calls.length).toBeGreaterThan(calls);
});

test('names a limited number of connected devices, without control characters', async () => {
  system.listed = ['A\u001b]0;x\u0007\u202eB\nC', ...new Array<string>(20).fill('D'.repeat(100))].map(
    serialNumber => new FakeHandle(serialNumber),
  );
  await expect(new UsbTransport({ system, serialNumber: 'NONE' }).exchange(COMMAND)).rejects.toMatchObject({
    hint: `Connected: A]0;xB C, ${`${'D'.repeat(64)}…, `.repeat(7)}….`,
  });
});

test.each([
  ['open error: permission denied (os error 13)', 'DEVICE_NOT_ACCESSIBLE', /udev-rules --install/],
  ['open error: device not found', 'DEVICE_NOT_FOUND', /Plug it in/],
])('explains the error "%s"', async (message, code, hint) => {
  handle.failsToOpen = message;
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
    code,
    hint: expect.stringMatching(hint),
  });
});

test('an error about missing permission contains the udev rules that give the permission', async () => {
  handle.failsToOpen = 'permission denied';
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
    facts: { udevRules: expect.stringContaining('ATTR{idVendor}=="1209"') },
  });
});

test('reports that another program holds the interface, and closes the device', async () => {
  handle.failsToClaim = 'claimInterface error: interface is busy';
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({ code: 'DEVICE_HELD' });
  expect(handle.calls).toEqual(['open', 'close']);
});

test('reports that another program holds the device also when closing it fails', async () => {
  handle.failsToClaim = 'claimInterface error: LIBUSB_ERROR_BUSY';
  handle.failsToClose = "Can't close device with a pending request";
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
    code: 'DEVICE_HELD',
    cause: { message: handle.failsToClaim },
  });
});

test('reports that a device does not describe itself in time, and closes the device', async () => {
  Object.defineProperty(handle, 'configuration', {
    get: () => {
      throw new Error('getString error: transfer was cancelled');
    },
  });
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
    code: 'TRANSPORT_FAILED',
    message: 'the device 001-1 does not describe its interfaces',
  });
  expect(handle.calls).toEqual(['open', 'close']);
});

test('reports that the device does not have the interface, and closes the device', async () => {
  handle.configuration = {
    interfaces: [{ interfaceNumber: 0, alternate: { interfaceClass: 3, endpoints } }],
  };
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({ code: 'WRONG_INTERFACE' });
  expect(handle.calls).toEqual(['open', 'close']);
});

test('reports that no device is connected', async () => {
  system.listed = [Object.assign(new FakeHandle(), { productId: 2 })];
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
});

test('fails when the device is unplugged in the middle of a review, and opens the device again later', async () => {
  const review = transport.exchange(COMMAND);
  while (handle.written.length === 0) await settle();
  handle.fail('transferIn error: Disconnected');
  await expect(review).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  handle.written.length = 0;
  expect(await exchange('9000')).toEqual(bytesOf('9000'));
});

test('fails when a report cannot be written', async () => {
  handle.writeStatus = 'stall';
  await expect(transport.exchange(COMMAND)).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
});

test.each([
  ["Cannot find package 'usb' imported from /app/x.js", /^Install the package usb/],
  ['Failed to read /sys/bus/usb/devices: No such file or directory', /^On Linux, .* needs \/sys\/bus\/usb/],
])('reports what listing devices needs after the error "%s"', async (message, hint) => {
  const system = { list: () => Promise.reject(new Error(message)) };
  await expect(new UsbTransport({ system }).exchange(new Uint8Array(5))).rejects.toMatchObject({
    code: 'TRANSPORT_FAILED',
    hint: expect.stringMatching(hint),
  });
});
