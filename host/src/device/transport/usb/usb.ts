import { ReportTransport } from '../report-transport.js';
import { checkSelection } from './device-selection.js';
import { loadUsbSystem, openUsbDevice, type UsbSystem } from './usb-device.js';
import { DEFAULT_USB_IDS } from './usb-ids.js';

/** Which device a `UsbTransport` opens; the first that is found, by default. */
export interface UsbOptions {
  /** USB ids; 1209:0001, a test id, by default. */
  vendorId?: number | undefined;
  productId?: number | undefined;
  /** Opens the signer with this serial number, where several are connected. */
  serialNumber?: string | undefined;
  /** Opens the device at this path, as `listDevices({ transport: 'usb' })` gives it. */
  path?: string | undefined;
  /** Stands in for the package usb, in tests. */
  system?: UsbSystem | undefined;
}

/**
 * A signer on USB, through its interface for WebUSB and the package usb. One program at a time may hold that
 * interface; over HID several may.
 */
export class UsbTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` for what are no options: the first device would be opened in their place. */
  constructor(options: UsbOptions = {}) {
    checkSelection(options);
    const { system, serialNumber, path } = options;
    const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = options;
    super(async () =>
      openUsbDevice(system ?? (await loadUsbSystem()), { vendorId, productId, serialNumber, path }),
    );
  }
}
