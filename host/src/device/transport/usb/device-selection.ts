import { cleanText, invalidInputError } from '@zbc-signer/chain';
import { TransportError } from '../../../errors.js';
import { UDEV_RULES_FILE, udevRules } from './udev-rules.js';
import { DEFAULT_USB_IDS, formatUsbIds, type UsbIds } from './usb-ids.js';

const UDEV_HINT =
  `On Linux, run \`zbc-signer udev-rules --install\` as root once, which writes ${UDEV_RULES_FILE},` +
  ' and plug the device in again.';

/**
 * Maximum number, and maximum length, of the serial numbers in a message. Devices choose their serial
 * numbers.
 */
const MAX_NAMED = 8;
const MAX_NAME = 64;

/** The device to open: without a path or serial number, the first one, which is then kept. */
export interface WantedDevice extends UsbIds {
  serialNumber?: string | undefined;
  path?: string | undefined;
  /** The device that was selected last. */
  last?: ListedDevice | undefined;
}

interface ListedDevice {
  path: string;
  serialNumber?: string | undefined;
}

/** The device to open; by default the first with the test ids, until that is unplugged. */
export interface DeviceOptions<System> {
  /** USB ids; by default the test ids, 1209:0001. */
  vendorId?: number | undefined;
  productId?: number | undefined;
  /** The serial number of the device to open, in case several are connected. */
  serialNumber?: string | undefined;
  /** The path of the device to open, from `listDevices` with the same transport. */
  path?: string | undefined;
  /** Stands in for the package that opens devices, in tests. */
  system?: System | undefined;
}

/** Throws `INVALID_INPUT` if the argument is not an object: otherwise the first device would be opened. */
export function readSelection(options: DeviceOptions<unknown>): WantedDevice {
  if (typeof options !== 'object' || options === null)
    throw invalidInputError('the options of a transport must be an object, such as { serialNumber }');
  const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = options;
  return { vendorId, productId, serialNumber: options.serialNumber, path: options.path };
}

/**
 * Chooses the device to open: the last one, wherever it is plugged in, otherwise the first that matches. If none
 * matches, throws a TransportError that lists the connected devices.
 */
export function selectDevice<Device extends ListedDevice>(
  listed: readonly Device[],
  wanted: WantedDevice,
): Device {
  const { path, serialNumber, last } = wanted;
  const matching = listed.filter(
    device =>
      (path === undefined || device.path === path) &&
      (serialNumber === undefined || device.serialNumber === serialNumber),
  );
  const isLast = (device: Device) => device.serialNumber === last?.serialNumber;
  const found =
    matching.find(device => isLast(device) && device.path === last?.path) ??
    matching.find(device => isLast(device) && device.serialNumber) ??
    matching[0];
  if (found === undefined)
    throw listed.length > 0 ? otherDeviceError(wanted, listed) : notConnectedError(wanted);
  wanted.last = { path: found.path, serialNumber: found.serialNumber };
  return found;
}

/**
 * The error for a failure to open a device. The system reports the reason only as text, on Linux by strerror.
 */
export function openError(path: string, ids: UsbIds, cause: unknown): TransportError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/busy|in use|exclusive/i.test(reason)) {
    return new TransportError('DEVICE_HELD', `another program holds the device ${path}`, {
      cause,
      hint: 'Close the other program, or the browser page that uses it.',
    });
  }
  if (/no such|not found|disconnected|ENOENT|ENODEV/i.test(reason)) return notConnectedError(ids);
  return new TransportError('DEVICE_NOT_ACCESSIBLE', `permission to open the device ${path} was denied`, {
    cause,
    facts: { udevRulesFile: UDEV_RULES_FILE, udevRules: udevRules(ids) },
    hint: `Close other programs that use it. ${UDEV_HINT}`,
  });
}

/** The device is connected, but lacks the interface that carries the signer's reports. */
export function wrongInterfaceError(path: string, expected: string): TransportError {
  return new TransportError('WRONG_INTERFACE', `${path} is not the ${expected} of a signer`, {
    hint: 'List the signers with `zbc-signer devices`, and check the USB ids.',
  });
}

/**
 * The error for a failure to list devices. If the package `name` is installed, the remedy is `systemHint`,
 * which names the requirements of the package.
 */
export function listingError(cause: unknown, name: string, systemHint: string): TransportError {
  const isMissing = new RegExp(`Cannot find (?:package|module) '${name}'`).test(String(cause));
  const hint = isMissing ? `Install the package ${name}: npm install ${name}.` : systemHint;
  return new TransportError('TRANSPORT_FAILED', 'the system does not list its USB devices', { cause, hint });
}

function notConnectedError(ids: UsbIds): TransportError {
  return new TransportError('DEVICE_NOT_FOUND', `no signer is connected (USB ${formatUsbIds(ids)})`, {
    hint: `Plug it in and unlock it. ${UDEV_HINT}`,
  });
}

function otherDeviceError(
  { path, serialNumber }: WantedDevice,
  listed: readonly ListedDevice[],
): TransportError {
  const wanted = path === undefined ? `serial number ${serialNumber}` : `path ${path}`;
  const named = listed
    .slice(0, MAX_NAMED)
    .map(device => cleanText(device.serialNumber || device.path, MAX_NAME));
  const connected = [...named, ...(listed.length > MAX_NAMED ? ['…'] : [])].join(', ');
  return new TransportError('DEVICE_NOT_FOUND', `no connected signer has the ${wanted}`, {
    hint: `Connected: ${connected}.`,
  });
}
