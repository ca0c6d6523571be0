import { ReportTransport } from '../report-transport.js';
import { checkSelection } from './device-selection.js';
import { type HidSystem, loadHidSystem, openHidDevice } from './hid-device.js';
import { DEFAULT_USB_IDS } from './usb-ids.js';

/** The device to open; by default the first with the test ids, until that is unplugged. */
export interface HidOptions {
  /** USB ids; by default the test ids, 1209:0001. */
  vendorId?: number | undefined;
  productId?: number | undefined;
  /** The serial number of the device to open, in case several are connected. */
  serialNumber?: string | undefined;
  /** The path of the device to open, from `listDevices`. */
  path?: string | undefined;
  /** Stands in for node-hid, in tests. */
  system?: HidSystem | undefined;
}

/** A signer on USB, through the system's HID driver and node-hid. */
export class HidTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` if the argument is not an object: otherwise the first device would be opened. */
  constructor(options: HidOptions = {}) {
    checkSelection(options);
    const { system, serialNumber, path } = options;
    const { vendorId = DEFAULT_USB_IDS.vendorId, productId = DEFAULT_USB_IDS.productId } = options;
    const wanted = { vendorId, productId, serialNumber, path };
    super(async () => openHidDevice(system ?? (await loadHidSystem()), wanted));
  }
}
