import { randomBytes } from 'node:crypto';
import { TEST_PRODUCT_ID, TEST_VENDOR_ID } from '@zbc-signer/protocol/usb-ids';
import type { Emulator } from '../harness/emulator.js';
import type { UsbIdentity } from './descriptors.js';
import { UsbDevice } from './usb-device.js';

const LANDING_PAGE = '127.0.0.1:8883/wallet/';

/** The fields of the identity that can be set. */
export type UsbOptions = { [Name in keyof UsbIdentity]?: UsbIdentity[Name] | undefined };

/** The emulator as a USB device, identified by its serial number. */
export function emulatedUsbDevice(emulator: Emulator, identity: UsbOptions): UsbDevice {
  const complete = {
    vendorId: identity.vendorId ?? TEST_VENDOR_ID,
    productId: identity.productId ?? TEST_PRODUCT_ID,
    serialNumber: identity.serialNumber ?? `EMU${randomBytes(4).toString('hex').toUpperCase()}`,
    landingPage: identity.landingPage ?? LANDING_PAGE,
  };
  return new UsbDevice(complete, {
    send: (report, reply, endpoint) => emulator.report(report, reply, endpoint),
    disconnect: () => emulator.disconnectReports(),
  });
}
