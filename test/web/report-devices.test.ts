import { setImmediate as afterEvents } from 'node:timers/promises';
import { Emulator } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { type Browser, WebDevices } from '@zbc-signer/web';
import { accounts } from '../../testkit/repository/vectors.js';

const FIRST = accounts.cases[0]!.address;

let emulator: Emulator;
beforeEach(async () => {
  emulator = await Emulator.start();
});
afterEach(() => emulator.stop());

type Listener = (event: never) => void;

/** The ids, the listeners and the open state, which both kinds of device have. */
class FakeDevice {
  opened = false;
  readonly vendorId: number = 0x1209;
  readonly productId = 0x0001;
  readonly listeners = new Map<string, Listener>();
  failsToOpen = false;

  async open(): Promise<void> {
    if (this.failsToOpen) throw new DOMException('Failed to open the device.', 'NotAllowedError');
    this.opened = true;
  }

  async close(): Promise<void> {
    this.opened = false;
  }

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, listener);
  }

  removeEventListener(type: string): void {
    this.listeners.delete(type);
  }
}

class FakeHidDevice extends FakeDevice {
  collections = [{ usagePage: 0xffa0 }];
  readonly written: number[][] = [];

  async sendReport(id: number, data: Uint8Array): Promise<void> {
    this.written.push([id, ...data]);
    emulator.report(data, report => {
      // A browser may deliver a report as a view of a larger buffer.
      const buffer = Buffer.concat([Buffer.alloc(7), report]);
      const view = new DataView(buffer.buffer, buffer.byteOffset + 7, report.length);
      setImmediate(() => this.listeners.get('inputreport')?.({ data: view } as never));
    });
  }
}

class FakeUsbDevice extends FakeDevice {
  serialNumber: string | undefined = 'A1';
  configuration: { interfaces: object[] } | null = null;
  claimed: number[] = [];
  stalls = 0;
  cleared = 0;
  readonly #reports: Uint8Array[] = [];
  #wake: (() => void) | undefined;

  async selectConfiguration(): Promise<void> {
    const endpoints = (number: number) => [
      { endpointNumber: number, direction: 'in' },
      { endpointNumber: number, direction: 'out' },
    ];
    this.configuration = {
      interfaces: [
        { interfaceNumber: 0, alternates: [{ interfaceClass: 3, endpoints: endpoints(1) }] },
        { interfaceNumber: 1, alternates: [{ interfaceClass: 0xff, endpoints: endpoints(2) }] },
      ],
    };
  }

  async claimInterface(number: number): Promise<void> {
    this.claimed.push(number);
  }

  async transferOut(endpoint: number, data: Uint8Array): Promise<{ status: string }> {
    expect(endpoint).toBe(2);
    emulator.report(data, report => {
      this.#reports.push(report);
      this.#wake?.();
    });
    return { status: 'ok' };
  }

  async transferIn(endpoint: number, length: number) {
    expect([endpoint, length]).toEqual([2, 64]);
    if (this.stalls > 0) {
      this.stalls -= 1;
      return { status: 'stall' };
    }
    while (this.#reports.length === 0) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
      if (!this.opened) throw new DOMException('The transfer was cancelled.', 'AbortError');
    }
    return { status: 'ok', data: new DataView(Uint8Array.from(this.#reports.shift()!).buffer) };
  }

  async clearHalt(): Promise<void> {
    this.cleared += 1;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#wake?.();
  }
}

/** A `navigator.hid` or `navigator.usb` with these devices, all of them allowed. */
class FakePlug {
  readonly filters: object[] = [];
  /** The error that the browser throws if the user chooses no device. */
  refusal: unknown;
  readonly listeners = new Map<string, Listener[]>();

  constructor(readonly devices: FakeDevice[]) {}

  async getDevices() {
    return this.devices;
  }

  async requestDevice({ filters }: { filters: object[] }) {
    this.filters.push(...filters);
    if (this.refusal !== undefined) throw this.refusal;
    return [];
  }

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  removeEventListener(type: string, listener: Listener): void {
    this.listeners.set(
      type,
      (this.listeners.get(type) ?? []).filter(other => other !== listener),
    );
  }

  emit(type: string, device: FakeDevice): void {
    for (const listener of this.listeners.get(type) ?? []) listener({ device } as never);
  }
}

function devicesOf(plugs: { hid?: FakePlug; usb?: FakePlug }): WebDevices {
  const stored = new Map<string, string>();
  const browser = {
    ...plugs,
    storage: {
      length: 0,
      key: () => null,
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
    openChannel: () => undefined,
    fetch,
  };
  return new WebDevices({ browser: browser as unknown as Browser });
}

describe('WebHID', () => {
  test('writes reports of 64 bytes with report id 0, and reads replies', async () => {
    const device = new FakeHidDevice();
    const [found] = await devicesOf({ hid: new FakePlug([device]) }).list();
    const signer = new Signer(found!.open());
    expect((await signer.getPublicKey(0)).address).toBe(FIRST);
    expect(device.written.every(report => report.length === 65 && report[0] === 0)).toBe(true);
    await signer.close();
    expect(device.opened).toBe(false);
    expect(device.listeners.size).toBe(0);
  });

  test('asks the user to choose by the ids and the usage page, and returns undefined if none is chosen', async () => {
    const hid = new FakePlug([]);
    expect(await devicesOf({ hid }).request('hid')).toBeUndefined();
    expect(hid.filters).toEqual([{ vendorId: 0x1209, productId: 1, usagePage: 0xffa0 }]);
  });

  test('ignores interfaces with another usage page, and other products, of whatever maker', async () => {
    const keyboard = new FakeHidDevice();
    keyboard.collections = [{ usagePage: 1 }];
    const other = Object.assign(new FakeHidDevice(), { vendorId: 0x046d });
    const product = Object.assign(new FakeHidDevice(), { productId: 0x0002 });
    expect(await devicesOf({ hid: new FakePlug([keyboard, other, product]) }).list()).toEqual([]);
  });

  test('reports that the device cannot be opened, and opens it later', async () => {
    const device = new FakeHidDevice();
    device.failsToOpen = true;
    const [found] = await devicesOf({ hid: new FakePlug([device]) }).list();
    const signer = new Signer(found!.open());
    await expect(signer.getVersion()).rejects.toMatchObject({ code: 'DEVICE_NOT_ACCESSIBLE' });
    device.failsToOpen = false;
    expect((await signer.getVersion()).locked).toBe(false);
    await signer.close();
  });

  test('fails a review at once when the device is unplugged, and opens the next device that is plugged in', async () => {
    const device = new FakeHidDevice();
    const hid = new FakePlug([device]);
    const [found] = await devicesOf({ hid }).list();
    const signer = new Signer(found!.open());
    const reply = signer.getPublicKey(0, { confirm: true });
    await emulator.waitForReview();
    hid.emit('disconnect', new FakeHidDevice());
    await new Promise(setImmediate);
    expect(emulator.reviewing).toBe(true);
    hid.devices[0] = new FakeHidDevice();
    emulator.disconnectReports();
    hid.emit('disconnect', device);
    await expect(reply).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
    expect((await signer.getPublicKey(0)).address).toBe(FIRST);
    await signer.close();
  });

  test('reports only signers that are plugged in or unplugged', () => {
    const hid = new FakePlug([]);
    const events: string[] = [];
    const end = devicesOf({ hid }).subscribe(({ type, kind }) => events.push(`${type} ${kind}`));
    hid.emit('connect', new FakeHidDevice());
    hid.emit('disconnect', new FakeHidDevice());
    hid.emit('connect', Object.assign(new FakeHidDevice(), { vendorId: 1 }));
    end();
    hid.emit('connect', new FakeHidDevice());
    expect(events).toEqual(['connected hid', 'disconnected hid']);
  });
});

describe('WebUSB', () => {
  test('claims the vendor interface, never the HID interface, and reads replies', async () => {
    const device = new FakeUsbDevice();
    const [found] = await devicesOf({ usb: new FakePlug([device]) }).list();
    const signer = new Signer(found!.open());
    expect((await signer.getPublicKey(0)).address).toBe(FIRST);
    expect(device.claimed).toEqual([1]);
    await signer.close();
    expect(device.opened).toBe(false);
  });

  test('clears a stalled endpoint and continues', async () => {
    const device = new FakeUsbDevice();
    device.stalls = 2;
    const [found] = await devicesOf({ usb: new FakePlug([device]) }).list();
    const signer = new Signer(found!.open());
    expect((await signer.getPublicKey(0)).address).toBe(FIRST);
    expect(device.cleared).toBe(2);
    await signer.close();
  });

  test('reports that a device does not have the interface, and closes the device', async () => {
    const device = new FakeUsbDevice();
    device.configuration = { interfaces: [] };
    const [found] = await devicesOf({ usb: new FakePlug([device]) }).list();
    await expect(new Signer(found!.open()).getVersion()).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
    expect(device.opened).toBe(false);
  });

  test('returns undefined if the user chooses no device', async () => {
    const usb = new FakePlug([]);
    usb.refusal = new DOMException('No device selected.', 'NotFoundError');
    expect(await devicesOf({ usb }).request('usb')).toBeUndefined();
  });
});

describe.each(['hid', 'usb', 'usb without serial numbers'])('of two signers (%s)', name => {
  const kind = name === 'hid' ? 'hid' : 'usb';
  const plugIn = () =>
    kind === 'hid'
      ? new FakeHidDevice()
      : Object.assign(new FakeUsbDevice(), { serialNumber: name === 'usb' ? 'A1' : undefined });

  test('opens the one that the user chose, again after a failure, and after it was plugged in again if its serial number tells', async () => {
    const [first, second] = [plugIn(), plugIn()];
    const plug = new FakePlug([first, second]);
    plug.requestDevice = async () => (kind === 'hid' ? [second] : second) as never;
    const chosen = await devicesOf({ [kind]: plug }).request(kind);
    const signer = new Signer(chosen!.open());
    await signer.getVersion();
    await signer.close();
    await signer.getVersion();
    expect([first.opened, second.opened]).toEqual([false, true]);
    plug.devices.pop();
    plug.emit('disconnect', second);
    await expect(signer.getVersion()).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
    const again = plugIn();
    plug.devices.push(again);
    if (name === 'usb') await signer.getVersion();
    else await expect(signer.getVersion()).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
    expect([first.opened, again.opened]).toEqual([false, name === 'usb']);
    await signer.close();
  });

  test('opens no other one that is unplugged and plugged in again while the chosen one is absent', async () => {
    const [first, second] = [plugIn(), plugIn()];
    if (name === 'usb') Object.assign(first, { serialNumber: 'B2' });
    const plug = new FakePlug([second]);
    plug.requestDevice = async () => (kind === 'hid' ? [second] : second) as never;
    const chosen = await devicesOf({ [kind]: plug }).request(kind);
    for (const [at, type] of [
      [0, 'connect'],
      [1, 'disconnect'],
      [0, 'disconnect'],
      [0, 'connect'],
    ] as const) {
      if (type === 'connect') plug.devices.splice(at, 0, first);
      const device = type === 'connect' ? first : plug.devices.splice(at, 1)[0]!;
      plug.emit(type, device);
      await afterEvents();
    }
    await expect(new Signer(chosen!.open()).getVersion()).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
    expect([first.opened, second.opened]).toEqual([false, false]);
  });

  test('opens none that was plugged in or chosen later, beside the chosen one', async () => {
    const [first, chosenLater, pluggedLater] = [plugIn(), plugIn(), plugIn()];
    const plug = new FakePlug([first]);
    plug.requestDevice = async () => (kind === 'hid' ? [first] : first) as never;
    const devices = devicesOf({ [kind]: plug });
    const signer = new Signer((await devices.request(kind))!.open());
    await signer.getVersion();
    plug.devices.push(chosenLater);
    plug.requestDevice = async () => (kind === 'hid' ? [chosenLater] : chosenLater) as never;
    await devices.request(kind);
    plug.devices.push(pluggedLater);
    plug.emit('connect', pluggedLater);
    plug.devices.shift();
    plug.emit('disconnect', first);
    await expect(signer.getVersion()).rejects.toMatchObject({ code: 'DEVICE_NOT_FOUND' });
    expect([chosenLater.opened, pluggedLater.opened]).toEqual([false, false]);
    await signer.close();
  });

  test('opens none without a question after a reload, unless its serial number tells which', async () => {
    const plug = new FakePlug([plugIn(), plugIn()]);
    const devices = devicesOf({ [kind]: plug });
    const [, last] = await devices.list();
    devices.remember(last!);
    expect(await devices.reopen()).toBeUndefined();
    Object.assign(plug.devices[0]!, { serialNumber: 'B2' });
    const found = await devices.reopen();
    expect(found?.serialNumber).toBe(last?.serialNumber);
    expect(found !== undefined).toBe(kind === 'usb');
    plug.devices.pop();
    expect(await devices.reopen()).toEqual(kind === 'usb' ? undefined : expect.objectContaining({ kind }));
  });
});

describe('an emulator that is named by its URL', () => {
  test.each([
    'https://127.0.0.1:5000',
    'http://example.org',
    'http://127.0.0.1.example.org',
    'http://user:word@127.0.0.1:5000',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '',
  ])('is refused at %j, which is not a URL of this machine', url => {
    expect(() => devicesOf({}).emulator(url)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  test('is opened again if it was remembered, but not after it was forgotten', async () => {
    const devices = devicesOf({});
    devices.remember(devices.emulator('http://localhost:5000/'));
    expect(await devices.reopen()).toMatchObject({ kind: 'emulator', url: 'http://localhost:5000' });
    devices.forget();
    expect(await devices.reopen()).toBeUndefined();
  });
});

test('in a browser without WebHID, the error says what to use instead', async () => {
  const devices = devicesOf({});
  expect([devices.supports('hid'), devices.supports('usb')]).toEqual([false, false]);
  await expect(devices.request('hid')).rejects.toMatchObject({
    hint: expect.stringMatching(/zbc-signer bridge/),
  });
});
