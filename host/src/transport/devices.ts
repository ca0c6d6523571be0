import { type HidSystem, listHidDevices, loadHidSystem } from './hid-device.js';
import { DEFAULT_USB_IDS, type UsbIds } from './usb-ids.js';

/** A signer that is plugged in. */
export interface ConnectedDevice extends UsbIds {
  /** Opens it with `new HidTransport({ path })`; it changes with each plug. */
  path: string;
  /** Undefined where the system does not let this user read it. */
  serialNumber: string | undefined;
  product: string | undefined;
}

/** Which devices to list; by default those with the test id. */
export interface DeviceListOptions extends Partial<UsbIds> {
  /** Stands in for node-hid, in tests. */
  system?: HidSystem | undefined;
}

/** Which devices to watch, and how often. */
export interface DeviceWatchOptions extends DeviceListOptions {
  signal?: AbortSignal | undefined;
  /** How often the system is asked, 500 by default. */
  intervalMs?: number | undefined;
}

/** A device that was plugged in or out. */
export interface DeviceEvent {
  type: 'connected' | 'disconnected';
  device: ConnectedDevice;
}

const INTERVAL_MS = 500;

/** The signers that are plugged in; throws TransportError when the system does not list its devices. */
export async function listDevices({ system, ...ids }: DeviceListOptions = {}): Promise<ConnectedDevice[]> {
  const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = ids;
  const listed = await listHidDevices(system ?? (await loadHidSystem()), { vendorId, productId });
  return listed.map(({ path, serialNumber, product }) => ({
    path,
    serialNumber: serialNumber === '' ? undefined : serialNumber,
    product: product === '' ? undefined : product,
    vendorId,
    productId,
  }));
}

/**
 * The signers that are plugged in now, as connected, and every one that is plugged in or out from then on,
 * until `signal` fires. It polls: node-hid has no events.
 */
export async function* watchDevices(options: DeviceWatchOptions = {}): AsyncGenerator<DeviceEvent, void> {
  const { signal, intervalMs = INTERVAL_MS } = options;
  let known = new Map<string, ConnectedDevice>();
  while (!signal?.aborted) {
    const listed = new Map((await listDevices(options)).map(device => [device.path, device]));
    for (const [path, device] of known) if (!listed.has(path)) yield { type: 'disconnected', device };
    for (const [path, device] of listed) if (!known.has(path)) yield { type: 'connected', device };
    known = listed;
    await pause(intervalMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
