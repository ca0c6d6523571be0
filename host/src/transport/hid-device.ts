import { TransportError } from '../errors.js';

/** A test id, which must not ship on a product: a maker sets their own. */
export const DEFAULT_VENDOR_ID = 0x1209;
export const DEFAULT_PRODUCT_ID = 0x0001;
const USAGE_PAGE = 0xffa0;
/** node-hid loads its native part at the first listing. */
const LIBRARIES_HINT =
  'On Linux, node-hid needs libusb-1.0 and libudev: on Debian, libusb-1.0-0 and libudev1.';
const UDEV_HINT = 'On Linux, install the rule file 70-zbc-signer.rules and plug the device in again.';

/** An open device, the part of node-hid's HIDAsync that is needed. */
export interface HidDevice {
  write(report: number[]): Promise<number>;
  on(event: 'data', listener: (report: Uint8Array) => void): unknown;
  on(event: 'error', listener: (cause: unknown) => void): unknown;
  close(): Promise<void>;
}

/** A device that the system lists; node-hid's libusb build knows no usage page. */
export interface HidDeviceInfo {
  path?: string | undefined;
  interface: number;
  usagePage?: number | undefined;
}

/** What the transport needs of node-hid. */
export interface HidSystem {
  list(vendorId: number, productId: number): Promise<HidDeviceInfo[]>;
  open(path: string): Promise<HidDevice>;
}

export interface HidIds {
  vendorId: number;
  productId: number;
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

/** Opens the first signer with these ids; throws TransportError with what to do when there is none or it cannot be opened. */
export async function openHidDevice(system: HidSystem, ids: HidIds): Promise<HidDevice> {
  const path = await findPath(system, ids);
  try {
    return await system.open(path);
  } catch (cause) {
    throw new TransportError(
      'DEVICE_NOT_ACCESSIBLE',
      'the device is connected but this user may not open it',
      {
        cause,
        hint: `Close other programs that use it. ${UDEV_HINT}`,
      },
    );
  }
}

async function findPath(system: HidSystem, { vendorId, productId }: HidIds): Promise<string> {
  const listed = await listDevices(system, vendorId, productId);
  const found = listed.find(info => info.usagePage === USAGE_PAGE || info.interface === 0);
  if (found?.path !== undefined) {
    return found.path;
  }
  const ids = [vendorId, productId].map(id => id.toString(16).padStart(4, '0')).join(':');
  throw new TransportError('DEVICE_NOT_FOUND', `no signer is connected (USB ${ids})`, {
    hint: `Plug it in and unlock it. ${UDEV_HINT}`,
  });
}

async function listDevices(system: HidSystem, vendorId: number, productId: number): Promise<HidDeviceInfo[]> {
  try {
    return await system.list(vendorId, productId);
  } catch (cause) {
    throw listingError(cause);
  }
}

function listingError(cause: unknown): TransportError {
  return new TransportError('TRANSPORT_FAILED', 'the system does not list its USB devices', {
    cause,
    hint: LIBRARIES_HINT,
  });
}
