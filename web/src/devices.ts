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
   * Name of the lock on the device. It is the same for HID and WebUSB, which are two interfaces of one
   * device. Two signers with the same USB ids share a lock, because browsers do not distinguish them over
   * HID.
   */
  lockName: string;
  /** The URL of an emulator. */
  url?: string | undefined;
  /** A new transport, which opens the device at its first exchange. */
  open(): Transport;
}

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

  constructor({ browser = currentBrowser(), ...ids }: WebDevicesOptions = {}) {
    const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = ids;
    this.#browser = browser;
    this.bridge = new Bridge(browser);
    this.#ids = { vendorId, productId };
  }

  /** Whether this browser offers WebHID or WebUSB to this page. */
  supports(kind: 'hid' | 'usb'): boolean {
    return this.#browser[kind] !== undefined;
  }

  /** The plugged-in signers that the user has already allowed this origin to use, those over HID first. */
  async list(): Promise<WebDevice[]> {
    const [hid, usb] = await Promise.all([this.#listHid(), this.#listUsb()]);
    return [...hid.map(() => this.#hidDevice()), ...usb.map(device => this.#usbDevice(device))];
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

  /** Stores the kind and URL of a device, which `remembered` then returns. */
  remember({ kind, url }: Pick<WebDevice, 'kind' | 'url'>): void {
    try {
      this.#browser.storage?.setItem(REMEMBERED, JSON.stringify({ kind, url }));
    } catch {}
  }

  /** Deletes what `remember` has stored. */
  forget(): void {
    try {
      this.#browser.storage?.removeItem(REMEMBERED);
    } catch {}
  }

  /** The kind and URL of the device that was used last, even if it is not connected. */
  remembered(): { kind: WebDevice['kind']; url?: string | undefined } | undefined {
    try {
      const { kind, url } = JSON.parse(this.#browser.storage?.getItem(REMEMBERED) ?? '{}') as WebDevice;
      return ['hid', 'usb', 'emulator', 'bridge'].includes(kind) ? { kind, url } : undefined;
    } catch {
      return undefined;
    }
  }

  /** The device that was used last. Undefined if it is not connected, or if the browser must ask the user. */
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

  /** Calls the listener when a signer is plugged in or unplugged, until the returned function is called. */
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
