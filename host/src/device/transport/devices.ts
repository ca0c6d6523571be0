import { type Hotplug, loadHotplug } from './hotplug.js';
import { type HidSystem, listHidDevices, loadHidSystem } from './usb/hid-device.js';
import { listUsbDevices, loadUsbSystem, type UsbSystem } from './usb/usb-device.js';
import { DEFAULT_USB_IDS, type UsbIds } from './usb/usb-ids.js';

/** The interface of a signer on USB: the system's HID driver, or the signer's own interface. */
export type UsbTransportName = 'hid' | 'usb';

/** A connected signer. */
export interface ConnectedDevice extends UsbIds {
  /**
   * Identifies the device for `new HidTransport({ path })` or UsbTransport. The path changes whenever the device
   * is plugged in.
   */
  path: string;
  /** The device's serial number; undefined if this user may not read it. */
  serialNumber: string | undefined;
  product: string | undefined;
}

/** Filter of listed devices. By default, the devices with the test ids are listed. */
export interface DeviceListOptions extends Partial<UsbIds> {
  /** The transport that the listed paths are for; `hid` by default. */
  transport?: UsbTransportName | undefined;
  /** Stands in for node-hid, in tests. */
  system?: HidSystem | undefined;
  /** Stands in for the package usb, in tests. */
  usbSystem?: UsbSystem | undefined;
}

/** Filter and interval of watched devices. */
export interface DeviceWatchOptions extends DeviceListOptions {
  signal?: AbortSignal | undefined;
  /** Polling interval in milliseconds, if the system does not announce changes; 500 by default. */
  intervalMs?: number | undefined;
  /** Stands in for the system's announcements, in tests. */
  hotplug?: Hotplug | undefined;
}

/** A device that was connected or disconnected. */
export interface DeviceEvent {
  type: 'connected' | 'disconnected';
  device: ConnectedDevice;
}

const INTERVAL_MS = 500;
/**
 * Time of frequent listings after an announcement: a device is announced before all of its interfaces exist.
 */
const SETTLING_MS = 1000;
const SETTLING_INTERVAL_MS = 50;

/** Lists the connected signers; throws TransportError if the system does not list its devices. */
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
 * Yields the signers that are connected now, then every connection and disconnection until `signal` fires. If
 * the package usb is installed, the system announces changes; on Linux, this also needs udevd. Otherwise the
 * devices are listed at an interval.
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
      // The consumer of an event may have aborted.
      if (!signal?.aborted) await changes.next(signal);
    }
  } finally {
    changes.end();
  }
}

/** Decides when to list again: at an announcement and shortly after it, otherwise at each interval. */
class Changes {
  readonly #end: (() => void) | undefined;
  /** The end of the frequent listings after an announcement; undefined if they have ended. */
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

  /** Delay until the next listing; undefined if only an announcement causes it. */
  #delayMs(): number | undefined {
    if (this.#settlesUntil === undefined) return this.#end === undefined ? this.intervalMs : undefined;
    // The last listing is after that time: a delayed process may not have listed the devices before.
    if (performance.now() >= this.#settlesUntil) this.#settlesUntil = undefined;
    return SETTLING_INTERVAL_MS;
  }
}

/**
 * Whether a device is listed. The serial number is compared too, because its path may belong to another
 * device.
 */
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
