import { ReportTransport } from '../report-transport.js';
import { type DeviceOptions, readSelection } from './device-selection.js';
import { type HidSystem, loadHidSystem, openHidDevice } from './hid-device.js';

/** A signer on USB, through the system's HID driver and node-hid. */
export class HidTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` if the argument is not an object: otherwise the first device would be opened. */
  constructor(options: DeviceOptions<HidSystem> = {}) {
    const wanted = readSelection(options);
    const { system } = options;
    super(async () => openHidDevice(system ?? (await loadHidSystem()), wanted));
  }
}
