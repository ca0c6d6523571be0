import { DEFAULT_USB_IDS, type UsbIds } from '@zbc-signer/host/reports';
import { UsageError } from '../errors/errors.js';

/** For the commands about plugged-in devices. */
export const USB_ID_OPTION = {
  'usb-id': {
    describe: 'vendor and product id in hex [1209:0001, a test id]',
  },
} as const;

/** Reads `VVVV:PPPP`; the test id by default. Throws UsageError. */
export function parseUsbIds(text: string | undefined): UsbIds {
  if (text === undefined) return DEFAULT_USB_IDS;
  const [, vendorId, productId] = /^([0-9a-f]{4}):([0-9a-f]{4})$/i.exec(text) ?? [];
  if (vendorId === undefined || productId === undefined) {
    throw new UsageError('--usb-id must be four hex digits, a colon and four hex digits, such as 1209:0001');
  }
  return { vendorId: Number.parseInt(vendorId, 16), productId: Number.parseInt(productId, 16) };
}
