import { ReportTransport } from '../report-transport.js';
import { type DeviceOptions, readSelection } from './device-selection.js';
import { loadUsbSystem, openUsbDevice, type UsbSystem } from './usb-device.js';

/**
 * A signer on USB, through its interface for WebUSB and the package usb. Only one program at a time may claim
 * that interface; over HID, several may share the device.
 */
export class UsbTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` if the argument is not an object: otherwise the first device would be opened. */
  constructor(options: DeviceOptions<UsbSystem> = {}) {
    const wanted = readSelection(options);
    const { system } = options;
    super(async () => openUsbDevice(system ?? (await loadUsbSystem()), wanted));
  }
}
