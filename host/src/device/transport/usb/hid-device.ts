import type { ReportDevice } from '../report-device.js';
import {
  listingError,
  openError,
  selectDevice,
  type WantedDevice,
  wrongInterfaceError,
} from './device-selection.js';
import type { UsbIds } from './usb-ids.js';

const USAGE_PAGE = 0xffa0;
const HID_INTERFACE = 0;
const REPORT_ID = 0;
/** Remedy if a listing fails. The first listing loads node-hid's native library. */
const LIBRARIES_HINT =
  'On Linux, node-hid needs libusb-1.0 and libudev: on Debian, libusb-1.0-0 and libudev1.';

/** The methods of node-hid's HIDAsync that this library uses. */
export interface HidHandle {
  /** Sends a report, preceded by its id. */
  write(report: Buffer): Promise<number>;
  /** Calls the listener for every report. */
  on(event: 'data', listener: (report: Uint8Array) => void): unknown;
  /** Calls the listener if the device is gone. */
  on(event: 'error', listener: (cause: unknown) => void): unknown;
  /** Releases the device. */
  close(): Promise<void>;
}

/** A device in the system's list. `usagePage` is undefined in node-hid's libusb build. */
export interface HidDeviceInfo {
  path?: string | undefined;
  interface: number;
  usagePage?: number | undefined;
  serialNumber?: string | undefined;
  product?: string | undefined;
}

/** The functions of node-hid that this library uses. */
export interface HidSystem {
  /** Lists the devices with these ids. */
  list(vendorId: number, productId: number): Promise<HidDeviceInfo[]>;
  /** Opens the device at a path from `list`. */
  open(path: string): Promise<HidHandle>;
}

/** Loads node-hid on first use, so that programs without USB do not need its system libraries. */
export async function loadHidSystem(): Promise<HidSystem> {
  try {
    const { default: hid } = await import('node-hid');
    return { list: hid.devicesAsync, open: path => hid.HIDAsync.open(path) };
  } catch (cause) {
    throw listingError(cause, 'node-hid', LIBRARIES_HINT);
  }
}

/** The listed signers, with their paths; throws TransportError. */
export async function listHidDevices(
  system: HidSystem,
  ids: UsbIds,
): Promise<(HidDeviceInfo & { path: string })[]> {
  return (await listInterfaces(system, ids)).filter(isSigner);
}

/** Opens a signer; throws TransportError with a remedy if it is missing or cannot be opened. */
export async function openHidDevice(system: HidSystem, wanted: WantedDevice): Promise<ReportDevice> {
  const listed = await listInterfaces(system, wanted);
  const other = listed.find(info => !isSigner(info) && info.path === wanted.path);
  if (other !== undefined) throw wrongInterfaceError(other.path, 'HID interface');
  const { path } = selectDevice(listed.filter(isSigner), wanted);
  try {
    return new HidReportDevice(await system.open(path));
  } catch (cause) {
    throw openError(path, wanted, cause);
  }
}

/**
 * node-hid expects the report id before a written report, and omits it when reading. Writes are queued, so
 * that a report need not wait for the completion of the previous one.
 */
class HidReportDevice implements ReportDevice {
  constructor(private readonly handle: HidHandle) {}

  async write(reports: readonly Uint8Array[]): Promise<void> {
    const id = Uint8Array.of(REPORT_ID);
    await Promise.all(reports.map(report => this.handle.write(Buffer.concat([id, report]))));
  }

  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void {
    this.handle.on('data', onReport);
    this.handle.on('error', onLost);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

async function listInterfaces(
  system: HidSystem,
  { vendorId, productId }: UsbIds,
): Promise<(HidDeviceInfo & { path: string })[]> {
  try {
    const listed = await system.list(vendorId, productId);
    return listed.flatMap(info => (info.path === undefined ? [] : [{ ...info, path: info.path }]));
  } catch (cause) {
    throw listingError(cause, 'node-hid', LIBRARIES_HINT);
  }
}

function isSigner({ usagePage, interface: number }: HidDeviceInfo): boolean {
  return usagePage === USAGE_PAGE || (usagePage === undefined && number === HID_INTERFACE);
}
