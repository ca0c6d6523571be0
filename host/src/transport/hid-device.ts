import { TransportError } from '../errors.js';
import type { ReportDevice } from './report-device.js';
import { formatUsbIds, type UsbIds } from './usb-ids.js';

const USAGE_PAGE = 0xffa0;
const HID_INTERFACE = 0;
const REPORT_ID = 0;
/** node-hid loads its native part at the first listing. */
const LIBRARIES_HINT =
  'On Linux, node-hid needs libusb-1.0 and libudev: on Debian, libusb-1.0-0 and libudev1.';
const UDEV_HINT = 'On Linux, run zbc-signer udev-rules --install once and plug the device in again.';

/** The part of node-hid's HIDAsync that is needed. */
export interface HidHandle {
  write(report: number[]): Promise<number>;
  on(event: 'data', listener: (report: Uint8Array) => void): unknown;
  on(event: 'error', listener: (cause: unknown) => void): unknown;
  close(): Promise<void>;
}

/** A device as the system lists it; node-hid's libusb build knows no usage page. */
export interface HidDeviceInfo {
  path?: string | undefined;
  interface: number;
  usagePage?: number | undefined;
  serialNumber?: string | undefined;
  product?: string | undefined;
}

/** What the transport needs of node-hid. */
export interface HidSystem {
  list(vendorId: number, productId: number): Promise<HidDeviceInfo[]>;
  open(path: string): Promise<HidHandle>;
}

/** Which device to open: without a path or serial number, the first. */
interface WantedDevice extends UsbIds {
  serialNumber?: string | undefined;
  path?: string | undefined;
}

/** node-hid, loaded only now: programs that use no USB need none of its system libraries. */
export async function loadHidSystem(): Promise<HidSystem> {
  try {
    const { default: hid } = await import('node-hid');
    return { list: hid.devicesAsync, open: path => hid.HIDAsync.open(path) };
  } catch (cause) {
    throw listingError(cause);
  }
}

/** The signers that the system lists, each with its path; throws TransportError. */
export async function listHidDevices(
  system: HidSystem,
  { vendorId, productId }: UsbIds,
): Promise<(HidDeviceInfo & { path: string })[]> {
  try {
    const listed = await system.list(vendorId, productId);
    return listed.flatMap(info => (isSigner(info) ? [{ ...info, path: info.path! }] : []));
  } catch (cause) {
    throw listingError(cause);
  }
}

/** Opens a signer; throws TransportError with what to do when there is none or it cannot be opened. */
export async function openHidDevice(system: HidSystem, wanted: WantedDevice): Promise<ReportDevice> {
  const path = await findPath(system, wanted);
  try {
    return new HidReportDevice(await system.open(path));
  } catch (cause) {
    throw openError(path, cause);
  }
}

/**
 * node-hid takes and gives arrays that begin with the report id where it writes, and without where it reads.
 */
class HidReportDevice implements ReportDevice {
  constructor(private readonly handle: HidHandle) {}

  async write(report: Uint8Array): Promise<void> {
    await this.handle.write([REPORT_ID, ...report]);
  }

  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void {
    this.handle.on('data', onReport);
    this.handle.on('error', onLost);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

function isSigner({ path, usagePage, interface: number }: HidDeviceInfo): boolean {
  return (
    path !== undefined && (usagePage === USAGE_PAGE || (usagePage === undefined && number === HID_INTERFACE))
  );
}

async function findPath(system: HidSystem, wanted: WantedDevice): Promise<string> {
  const listed = await listHidDevices(system, wanted);
  const { path, serialNumber } = wanted;
  const found = listed.find(
    info =>
      (path === undefined || info.path === path) &&
      (serialNumber === undefined || info.serialNumber === serialNumber),
  );
  if (found !== undefined) return found.path;
  throw listed.length > 0 ? otherDeviceError(wanted, listed) : notConnectedError(wanted);
}

function notConnectedError(ids: UsbIds): TransportError {
  return new TransportError('DEVICE_NOT_FOUND', `no signer is connected (USB ${formatUsbIds(ids)})`, {
    hint: `Plug it in and unlock it. ${UDEV_HINT}`,
  });
}

function otherDeviceError(
  { path, serialNumber }: WantedDevice,
  listed: readonly HidDeviceInfo[],
): TransportError {
  const wanted = path === undefined ? `serial number ${serialNumber}` : `path ${path}`;
  const connected = listed.map(info => info.serialNumber ?? info.path).join(', ');
  return new TransportError('DEVICE_NOT_FOUND', `no connected signer has the ${wanted}`, {
    hint: `Connected: ${connected}.`,
  });
}

/** hidapi reports the reason in words alone, which on Linux are those of strerror. */
function openError(path: string, cause: unknown): TransportError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/busy|in use|exclusive/i.test(reason)) {
    return new TransportError('DEVICE_HELD', `another program holds the device ${path}`, {
      cause,
      hint: 'Close the other program, or the browser page that uses it.',
    });
  }
  return new TransportError('DEVICE_NOT_ACCESSIBLE', `permission to open the device ${path} was denied`, {
    cause,
    hint: `Close other programs that use it. ${UDEV_HINT}`,
  });
}

function listingError(cause: unknown): TransportError {
  return new TransportError('TRANSPORT_FAILED', 'the system does not list its USB devices', {
    cause,
    hint: LIBRARIES_HINT,
  });
}
