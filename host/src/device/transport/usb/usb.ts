import { ReportTransport } from '../report-transport.js';
import { checkSelection } from './device-selection.js';
import { loadUsbSystem, openUsbDevice, type UsbSystem } from './usb-device.js';
import { DEFAULT_USB_IDS } from './usb-ids.js';

/** The device to open; by default the first with the test ids, until that is unplugged. */
export interface UsbOptions {
  /** USB ids; by default the test ids, 1209:0001. */
  vendorId?: number | undefined;
  productId?: number | undefined;
  /** The serial number of the device to open, in case several are connected. */
  serialNumber?: string | undefined;
  /** The path of the device to open, from `listDevices({ transport: 'usb' })`. */
  path?: string | undefined;
  /** Stands in for the package usb, in tests. */
  system?: UsbSystem | undefined;
}

/**
 * A signer on USB, through its interface for WebUSB and the package usb. Only one program at a time may claim
 * that interface; over HID, several may share the device.
 */
export class UsbTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` if the argument is not an object: otherwise the first device would be opened. */
  constructor(options: UsbOptions = {}) {
    checkSelection(options);
    const { system, serialNumber, path } = options;
    const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = options;
    const wanted = { vendorId, productId, serialNumber, path };
    super(async () => openUsbDevice(system ?? (await loadUsbSystem()), wanted));
  }
}
