import { type Transport, TransportError } from '@zbc-signer/host';
import {
  DEFAULT_USB_IDS,
  formatUsbIds,
  type ReportDevice,
  ReportTransport,
  type UsbIds,
} from '@zbc-signer/host/reports';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { callListener } from '@zbc-signer/protocol/callbacks';
import { Bridge } from './bridge.js';
import { type Browser, currentBrowser, type HidDevice, type UsbDevice } from './browser.js';
import { EmulatorTransport, emulatorOrigin } from './emulator-transport.js';
import { openHid, openUsb } from './report-devices.js';

const USAGE_PAGE = 0xffa0;
const REMEMBERED = 'zbc-signer device';

/** A signer that the page may open. */
export interface WebDevice {
  kind: 'hid' | 'usb' | 'emulator' | 'bridge';
  /** The name to show to the user. */
  name: string;
  /**
   * Name of the lock on the device. It is the same for HID and WebUSB, which are two interfaces of one
   * device. Two signers with the same USB ids share a lock, because browsers do not distinguish them over
   * HID.
   */
  lockName: string;
  /** The serial number of a device over WebUSB, if it has one. */
  serialNumber?: string | undefined;
  /** The URL of an emulator. */
  url?: string | undefined;
  /** A new transport, which opens the device at its first exchange. */
  open(): Transport;
}

/** What identifies a signer after the page was loaded again. */
export type RememberedDevice = Pick<WebDevice, 'kind' | 'url' | 'serialNumber'>;

/** A signer was plugged in or unplugged. */
export interface WebDeviceEvent {
  type: 'connected' | 'disconnected';
  kind: 'hid' | 'usb';
}

/** Options for finding signers. The default USB ids are for tests; a device maker sets its own ids. */
export interface WebDevicesOptions extends Partial<UsbIds> {
  /** Replaces this page's browser in tests. */
  browser?: Browser | undefined;
}

/** The signers that this page may use. `request` asks the user for access to another signer. */
export class WebDevices {
  /** Access to `zbc-signer bridge`, for browsers without WebHID and WebUSB. */
  readonly bridge: Bridge;
  readonly #browser: Browser;
  readonly #ids: UsbIds;
  /** The number of devices that were unplugged so far. */
  #unplugged = 0;
  /** That number when a device was unplugged, and when it was first seen. */
  readonly #goneAt = new WeakMap<object, number>();
  readonly #seenAt = new WeakMap<object, number>();
  /** The kinds of which several signers were plugged in at once. */
  readonly #hadSeveral = new Set<'hid' | 'usb'>();

  constructor({ browser = currentBrowser(), ...ids }: WebDevicesOptions = {}) {
    bindMembers(this);
    const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = ids;
    this.#browser = browser;
    this.bridge = new Bridge(browser);
    this.#ids = { vendorId, productId };
    watch(browser.hid, (type, device) => this.#look(type, device, () => this.#listHid()));
    watch(browser.usb, (type, device) => this.#look(type, device, () => this.#listUsb()));
  }

  /** Whether this browser offers WebHID or WebUSB to this page. */
  supports(kind: 'hid' | 'usb'): boolean {
    return this.#browser[kind] !== undefined;
  }

  /** The plugged-in signers that the user has already allowed this origin to use, those over HID first. */
  async list(): Promise<WebDevice[]> {
    const [hid, usb] = await Promise.all([this.#listHid(), this.#listUsb()]);
    return [...hid.map(device => this.#hidDevice(device)), ...usb.map(device => this.#usbDevice(device))];
  }

  /**
   * Makes the browser ask the user for a device; returns undefined if the user chose none. Browsers allow
   * this only after a click or a key press. Throws TransportError if the browser does not offer WebHID or
   * WebUSB.
   */
  async request(kind: 'hid' | 'usb'): Promise<WebDevice | undefined> {
    if (!this.supports(kind)) throw unsupportedError(kind);
    try {
      if (kind === 'hid') {
        const filters = [{ ...this.#ids, usagePage: USAGE_PAGE }];
        const [chosen] = await this.#browser.hid!.requestDevice({ filters });
        await this.#listHid();
        return chosen && this.#hidDevice(chosen);
      }
      const chosen = await this.#browser.usb!.requestDevice({ filters: [this.#ids] });
      await this.#listUsb();
      return this.#usbDevice(chosen);
    } catch (error) {
      // WebUSB throws this if the user chooses no device.
      if ((error as Error).name === 'NotFoundError') return undefined;
      throw error;
    }
  }

  /** An emulator on this machine; throws `INVALID_INPUT` for the URL of another machine. */
  emulator(api: string): WebDevice {
    const url = emulatorOrigin(api);
    const open = () => new EmulatorTransport(url, this.#browser);
    return { kind: 'emulator', name: `Emulator at ${url}`, lockName: url, url, open };
  }

  /** The device behind the bridge. The user must have allowed this page in the bridge's terminal. */
  bridged(): WebDevice {
    return {
      kind: 'bridge',
      name: 'Signer behind the bridge',
      lockName: 'bridge',
      open: () => this.bridge.open(),
    };
  }

  /** Stores what identifies a device, which `remembered` then returns. */
  remember({ kind, url, serialNumber }: RememberedDevice): void {
    try {
      this.#browser.storage?.setItem(REMEMBERED, JSON.stringify({ kind, url, serialNumber }));
    } catch {}
  }

  /** Deletes what `remember` has stored. */
  forget(): void {
    try {
      this.#browser.storage?.removeItem(REMEMBERED);
    } catch {}
  }

  /** What identifies the device that was used last, even if it is not connected. */
  remembered(): RememberedDevice | undefined {
    try {
      const stored = JSON.parse(this.#browser.storage?.getItem(REMEMBERED) ?? '{}') as RememberedDevice;
      return ['hid', 'usb', 'emulator', 'bridge'].includes(stored.kind) ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * The device that was used last. Undefined if it is not connected, if it cannot be told from another one, or if
   * the browser must ask the user.
   */
  async reopen(): Promise<WebDevice | undefined> {
    const last = this.remembered();
    if (last?.kind === 'emulator') {
      try {
        return this.emulator(last.url ?? '');
      } catch {
        return undefined;
      }
    }
    if (last?.kind === 'bridge') return this.bridge.isPaired ? this.bridged() : undefined;
    const [found, other] = (await this.list()).filter(
      ({ kind, serialNumber }) => kind === last?.kind && serialNumber === last.serialNumber,
    );
    return other === undefined ? found : undefined;
  }

  /** Calls the listener when a signer is plugged in or unplugged, until the returned function is called. */
  subscribe(listener: (event: WebDeviceEvent) => void): () => void {
    const { hid, usb } = this.#browser;
    const removals = [
      watch(
        hid,
        (type, device: HidDevice) =>
          this.#isHidSigner(device) && callListener(listener, { type, kind: 'hid' }),
      ),
      watch(
        usb,
        (type, device: UsbDevice) => this.#hasIds(device) && callListener(listener, { type, kind: 'usb' }),
      ),
    ];
    return () => {
      for (const remove of removals) remove();
    };
  }

  get #lockName(): string {
    return `usb ${formatUsbIds(this.#ids)}`;
  }

  #hidDevice(chosen: HidDevice): WebDevice {
    const open = this.#reopening(
      'hid',
      chosen,
      () => this.#listHid(),
      device => openHid(this.#browser.hid!, device),
    );
    return { kind: 'hid', name: 'ZBC signer over HID', lockName: this.#lockName, open };
  }

  #usbDevice(chosen: UsbDevice): WebDevice {
    const open = this.#reopening(
      'usb',
      chosen,
      () => this.#listUsb(),
      device => openUsb(this.#browser.usb!, device),
    );
    const { serialNumber } = chosen;
    return { kind: 'usb', name: 'ZBC signer over WebUSB', lockName: this.#lockName, serialNumber, open };
  }

  /**
   * Returns a function that makes transports to the chosen device. When that is no longer plugged in, they open the
   * next device that is plugged in with the same serial number, if any; never one that was plugged in beside it.
   * Without serial numbers, they open no other device once several were plugged in at the same time.
   */
  #reopening<Device extends UsbIds & { readonly serialNumber?: string | undefined }>(
    kind: 'hid' | 'usb',
    chosen: Device,
    list: () => Promise<Device[]>,
    openDevice: (device: Device) => Promise<ReportDevice>,
  ): () => Transport {
    let device = chosen;
    this.#note('connected', chosen);
    const isNext = (other: Device) =>
      this.#seenAt.get(other)! >= (this.#goneAt.get(device) ?? Number.POSITIVE_INFINITY) &&
      other.serialNumber === chosen.serialNumber &&
      (other.serialNumber !== undefined || !this.#hadSeveral.has(kind));
    return () =>
      new ReportTransport(async () => {
        const present = await list();
        const found = present.includes(device) ? device : present.find(isNext);
        if (found === undefined) throw notConnectedError(kind);
        device = found;
        return openDevice(device);
      });
  }

  /** Notes a device that was plugged in or unplugged, and whether others are plugged in beside it. */
  #look(type: WebDeviceEvent['type'], device: object, list: () => Promise<unknown>): void {
    this.#note(type, device);
    list().catch(() => undefined);
  }

  #note(type: WebDeviceEvent['type'], device: object): void {
    if (type === 'disconnected') {
      this.#goneAt.set(device, ++this.#unplugged);
      this.#seenAt.delete(device);
    } else if (!this.#seenAt.has(device)) this.#seenAt.set(device, this.#unplugged);
  }

  async #listHid(): Promise<HidDevice[]> {
    return this.#signersOf('hid', await this.#browser.hid?.getDevices(), device => this.#isHidSigner(device));
  }

  async #listUsb(): Promise<UsbDevice[]> {
    return this.#signersOf('usb', await this.#browser.usb?.getDevices(), device => this.#hasIds(device));
  }

  /** Returns the signers of a list, and notes all of its devices, and whether several are signers. */
  #signersOf<Device extends object>(
    kind: 'hid' | 'usb',
    listed: readonly Device[] = [],
    isSigner: (device: Device) => boolean,
  ): Device[] {
    for (const device of listed) this.#note('connected', device);
    const signers = listed.filter(isSigner);
    if (signers.length > 1) this.#hadSeveral.add(kind);
    return signers;
  }

  #isHidSigner(device: HidDevice): boolean {
    return this.#hasIds(device) && device.collections.some(({ usagePage }) => usagePage === USAGE_PAGE);
  }

  #hasIds({ vendorId, productId }: UsbIds): boolean {
    return vendorId === this.#ids.vendorId && productId === this.#ids.productId;
  }
}

interface Plug<Device> {
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: Device }) => void): void;
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: { device: Device }) => void): void;
}

function watch<Device>(
  plug: Plug<Device> | undefined,
  report: (type: WebDeviceEvent['type'], device: Device) => void,
): () => void {
  const connect = ({ device }: { device: Device }) => report('connected', device);
  const disconnect = ({ device }: { device: Device }) => report('disconnected', device);
  plug?.addEventListener('connect', connect);
  plug?.addEventListener('disconnect', disconnect);
  return () => {
    plug?.removeEventListener('connect', connect);
    plug?.removeEventListener('disconnect', disconnect);
  };
}

function notConnectedError(kind: 'hid' | 'usb'): TransportError {
  return new TransportError('DEVICE_NOT_FOUND', 'the signer is not connected', {
    hint:
      kind === 'hid'
        ? 'Plug it in. If it is still not found, choose it again.'
        : 'Plug it in and choose it again.',
  });
}

function unsupportedError(kind: 'hid' | 'usb'): TransportError {
  const name = kind === 'hid' ? 'WebHID' : 'WebUSB';
  return new TransportError('TRANSPORT_FAILED', `this browser does not offer ${name} to this page`, {
    hint: 'Use Chrome or Edge with an https or localhost page, or run zbc-signer bridge.',
  });
}
