import { TEST_PRODUCT_ID, TEST_VENDOR_ID } from '@zbc-signer/protocol/usb-ids';

/** The USB ids of a kind of device, 0 to 65535 each. */
export interface UsbIds {
  vendorId: number;
  productId: number;
}

/** The ids for tests. A product must not have them: its manufacturer uses its own ids. */
export const DEFAULT_USB_IDS: UsbIds = { vendorId: TEST_VENDOR_ID, productId: TEST_PRODUCT_ID };

/** Whether these are the ids for tests. */
export function isTestId({ vendorId, productId }: UsbIds): boolean {
  return vendorId === DEFAULT_USB_IDS.vendorId && productId === DEFAULT_USB_IDS.productId;
}

/** Formats both ids as four hex digits each, as `lsusb` prints them. */
export function formatUsbIds({ vendorId, productId }: UsbIds): string {
  return [vendorId, productId].map(id => id.toString(16).padStart(4, '0')).join(':');
}
