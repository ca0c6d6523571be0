import { type Hotplug, loadHotplug } from './hotplug.js';
import { type HidSystem, listHidDevices, loadHidSystem } from './usb/hid-device.js';
import { listUsbDevices, loadUsbSystem, type UsbSystem } from './usb/usb-device.js';
import { DEFAULT_USB_IDS, type UsbIds } from './usb/usb-ids.js';

/** How a signer on USB is reached: the system's HID driver, or the signer's own interface. */
export type UsbTransportName = 'hid' | 'usb';

/** A signer that is plugged in. */
export interface ConnectedDevice extends UsbIds {
  /** Opens it with `new HidTransport({ path })`, or with UsbTransport; it changes with each plug. */
  path: string;
  /** As the device gives it; undefined where the system does not let this user read it. */
  serialNumber: string | undefined;
  product: string | undefined;
}

/** Which devices to list; by default those with the test id. */
export interface DeviceListOptions extends Partial<UsbIds> {
  /** What the paths are for; `hid` by default. */
  transport?: UsbTransportName | undefined;
  /** Stands in for node-hid, in tests. */
  system?: HidSystem | undefined;
  /** Stands in for the package usb, in tests. */
  usbSystem?: UsbSystem | undefined;
}

/** Which devices to watch, and how often. */
export interface DeviceWatchOptions extends DeviceListOptions {
  signal?: AbortSignal | undefined;
  /** How often the system is asked where it announces nothing, 500 by default. */
  intervalMs?: number | undefined;
  /** Stands in for the system's announcements, in tests. */
  hotplug?: Hotplug | undefined;
}

/** A device that was plugged in or out. */
export interface DeviceEvent {
  type: 'connected' | 'disconnected';
  device: ConnectedDevice;
}

const INTERVAL_MS = 500;
/** A device is announced before each of its parts is there. */
const SETTLING_MS = 1000;
const SETTLING_INTERVAL_MS = 50;

/** The signers that are plugged in; throws TransportError when the system does not list its devices. */
export async function listDevices(options: DeviceListOptions = {}): Promise<ConnectedDevice[]> {
  const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = options;
  const listed = await list(options, { vendorId, productId });
  return listed.map(({ path, serialNumber, product }) => ({
    path,
    serialNumber: serialNumber || undefined,
    product: product || undefined,
    vendorId,
    productId,
  }));
}

/**
 * The signers that are plugged in now, as connected, and every one that is plugged in or out from then on,
 * until `signal` fires. The system announces changes where the package usb is installed, on Linux with
 * udevd; elsewhere it is polled.
 */
export async function* watchDevices(options: DeviceWatchOptions = {}): AsyncGenerator<DeviceEvent, void> {
  const { signal, intervalMs = INTERVAL_MS } = options;
  const changes = new Changes(options.hotplug ?? (await loadHotplug()), intervalMs);
  let known = new Map<string, ConnectedDevice>();
  try {
    while (!signal?.aborted) {
      const listed = new Map((await listDevices(options)).map(device => [device.path, device]));
      for (const device of known.values()) {
        if (!isListed(listed, device)) yield { type: 'disconnected', device };
      }
      for (const device of listed.values()) {
        if (!isListed(known, device)) yield { type: 'connected', device };
      }
      known = listed;
      // Whoever took an event may have ended it.
      if (!signal?.aborted) await changes.next(signal);
    }
  } finally {
    changes.end();
  }
}

/** When to list again: at an announcement and a little after it, or else after each interval. */
class Changes {
  readonly #end: (() => void) | undefined;
  /** Undefined once a listing has begun after it. */
  #settlesUntil: number | undefined;
  #wake: () => void = () => undefined;

  constructor(
    hotplug: Hotplug | undefined,
    private readonly intervalMs: number,
  ) {
    this.#end = hotplug?.(() => {
      this.#settlesUntil = performance.now() + SETTLING_MS;
      this.#wake();
    });
  }

  next(signal: AbortSignal | undefined): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const delayMs = this.#delayMs();
      const timer = delayMs === undefined ? undefined : setTimeout(wake, delayMs);
      signal?.addEventListener('abort', wake);
      this.#wake = wake;
    });
  }

  end(): void {
    this.#end?.();
  }

  /** Undefined where the system announces the next change. */
  #delayMs(): number | undefined {
    if (this.#settlesUntil === undefined) return this.#end === undefined ? this.intervalMs : undefined;
    // However late this is called: a process may be held up for longer than devices take to settle.
    if (performance.now() >= this.#settlesUntil) this.#settlesUntil = undefined;
    return SETTLING_INTERVAL_MS;
  }
}

/** A path may belong to another device by now. */
function isListed(devices: Map<string, ConnectedDevice>, { path, serialNumber }: ConnectedDevice): boolean {
  return devices.has(path) && devices.get(path)?.serialNumber === serialNumber;
}

async function list(
  { transport, system, usbSystem }: DeviceListOptions,
  ids: UsbIds,
): Promise<Pick<ConnectedDevice, 'path' | 'serialNumber' | 'product'>[]> {
  if (transport === 'usb') return listUsbDevices(usbSystem ?? (await loadUsbSystem()), ids);
  const listed = await listHidDevices(system ?? (await loadHidSystem()), ids);
  return listed.map(({ path, serialNumber, product }) => ({ path, serialNumber, product }));
}
