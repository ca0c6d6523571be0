import { type Transport, TransportError } from '@zbc-signer/host';
import { DEFAULT_USB_IDS, formatUsbIds, ReportTransport, type UsbIds } from '@zbc-signer/host/reports';
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
   * Name of the lock on the device: the same for HID and WebUSB, which are two interfaces of one device. Over HID,
   * browsers do not distinguish two signers with the same ids, so these share a lock.
   */
  lockName: string;
  /** The URL of an emulator. */
  url?: string | undefined;
  /** A new transport, which opens the device at its first exchange. */
  open(): Transport;
}

/** A signer was plugged in or out. */
export interface WebDeviceEvent {
  type: 'connected' | 'disconnected';
  kind: 'hid' | 'usb';
}

/** How to find signers; USB ids other than those for tests are a device maker's. */
export interface WebDevicesOptions extends Partial<UsbIds> {
  /** Stands in for this page's browser, in tests. */
  browser?: Browser | undefined;
}

/** The signers that this page may use, and the request to the user for another. */
export class WebDevices {
  /** `zbc-signer bridge`, for browsers without WebHID and WebUSB. */
  readonly bridge: Bridge;
  readonly #browser: Browser;
  readonly #ids: UsbIds;

  constructor({ browser = currentBrowser(), ...ids }: WebDevicesOptions = {}) {
    const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = ids;
    this.#browser = browser;
    this.bridge = new Bridge(browser);
    this.#ids = { vendorId, productId };
  }

  /** Whether this browser has WebHID or WebUSB, and gives it to this page. */
  supports(kind: 'hid' | 'usb'): boolean {
    return this.#browser[kind] !== undefined;
  }

  /** The plugged-in signers that the user has allowed this origin to use before; HID first. */
  async list(): Promise<WebDevice[]> {
    const [hid, usb] = await Promise.all([this.#listHid(), this.#listUsb()]);
    return [...hid.map(() => this.#hidDevice()), ...usb.map(device => this.#usbDevice(device))];
  }

  /**
   * Has the browser ask the user for a device; undefined when they chose none. Browsers allow it only in
   * answer to a click or a key. Throws TransportError where the browser has no such interface.
   */
  async request(kind: 'hid' | 'usb'): Promise<WebDevice | undefined> {
    if (!this.supports(kind)) throw unsupportedError(kind);
    try {
      if (kind === 'hid') {
        const filters = [{ ...this.#ids, usagePage: USAGE_PAGE }];
        const chosen = await this.#browser.hid!.requestDevice({ filters });
        return chosen.length === 0 ? undefined : this.#hidDevice();
      }
      return this.#usbDevice(await this.#browser.usb!.requestDevice({ filters: [this.#ids] }));
    } catch (error) {
      // WebUSB throws this if the user chooses no device.
      if ((error as Error).name === 'NotFoundError') return undefined;
      throw error;
    }
  }

  /** An emulator of this machine; throws `INVALID_INPUT` for another URL. */
  emulator(api: string): WebDevice {
    const url = emulatorOrigin(api);
    const open = () => new EmulatorTransport(url, this.#browser);
    return { kind: 'emulator', name: `Emulator at ${url}`, lockName: url, url, open };
  }

  /** The device behind the bridge, which must have admitted this page. */
  bridged(): WebDevice {
    return {
      kind: 'bridge',
      name: 'Signer behind the bridge',
      lockName: 'bridge',
      open: () => this.bridge.open(),
    };
  }

  /** Keeps the device for `remembered`. */
  remember({ kind, url }: Pick<WebDevice, 'kind' | 'url'>): void {
    try {
      this.#browser.storage?.setItem(REMEMBERED, JSON.stringify({ kind, url }));
    } catch {}
  }

  /** Undoes `remember`. */
  forget(): void {
    try {
      this.#browser.storage?.removeItem(REMEMBERED);
    } catch {}
  }

  /** The kind and URL of the device used last, whether it is there or not. */
  remembered(): { kind: WebDevice['kind']; url?: string | undefined } | undefined {
    try {
      const { kind, url } = JSON.parse(this.#browser.storage?.getItem(REMEMBERED) ?? '{}') as WebDevice;
      return ['hid', 'usb', 'emulator', 'bridge'].includes(kind) ? { kind, url } : undefined;
    } catch {
      return undefined;
    }
  }

  /** The device used last, when it is there and needs no question to the user; undefined otherwise. */
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
    return (await this.list()).find(({ kind }) => kind === last?.kind);
  }

  /** Calls the listener when a signer is plugged in or out, until the returned function is called. */
  subscribe(listener: (event: WebDeviceEvent) => void): () => void {
    const { hid, usb } = this.#browser;
    const removals = [
      watch(hid, (type, device: HidDevice) => this.#isHidSigner(device) && listener({ type, kind: 'hid' })),
      watch(usb, (type, device: UsbDevice) => this.#hasIds(device) && listener({ type, kind: 'usb' })),
    ];
    return () => {
      for (const remove of removals) remove();
    };
  }

  get #lockName(): string {
    return `usb ${formatUsbIds(this.#ids)}`;
  }

  #hidDevice(): WebDevice {
    const open = () =>
      new ReportTransport(async () => {
        const [device] = await this.#listHid();
        if (device === undefined) throw notConnectedError('hid');
        return openHid(this.#browser.hid!, device);
      });
    return { kind: 'hid', name: 'ZBC signer over HID', lockName: this.#lockName, open };
  }

  #usbDevice({ serialNumber }: UsbDevice): WebDevice {
    const open = () =>
      new ReportTransport(async () => {
        const listed = await this.#listUsb();
        const device = listed.find(other => other.serialNumber === serialNumber);
        if (device === undefined) throw notConnectedError('usb');
        return openUsb(this.#browser.usb!, device);
      });
    return { kind: 'usb', name: 'ZBC signer over WebUSB', lockName: this.#lockName, open };
  }

  async #listHid(): Promise<HidDevice[]> {
    const listed = (await this.#browser.hid?.getDevices()) ?? [];
    return listed.filter(device => this.#isHidSigner(device));
  }

  async #listUsb(): Promise<UsbDevice[]> {
    const listed = (await this.#browser.usb?.getDevices()) ?? [];
    return listed.filter(device => this.#hasIds(device));
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
        ? 'Plug it in; if it still is not found, choose it again.'
        : 'Plug it in and choose it again.',
  });
}

function unsupportedError(kind: 'hid' | 'usb'): TransportError {
  const name = kind === 'hid' ? 'WebHID' : 'WebUSB';
  return new TransportError('TRANSPORT_FAILED', `this browser has no ${name} for this page`, {
    hint: 'Use Chrome or Edge, over https or on localhost; or run zbc-signer bridge.',
  });
}
