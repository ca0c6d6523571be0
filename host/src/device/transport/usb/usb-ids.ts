import { TEST_PRODUCT_ID, TEST_VENDOR_ID } from '@zbc-signer/protocol/usb-ids';

/** The USB ids of a kind of device, 0 to 65535 each. */
export interface UsbIds {
  vendorId: number;
  productId: number;
}

/** A test id, which must not ship on a product: a manufacturer uses its own. */
export const DEFAULT_USB_IDS: UsbIds = { vendorId: TEST_VENDOR_ID, productId: TEST_PRODUCT_ID };

/** Whether these are the ids for tests. */
export function isTestId({ vendorId, productId }: UsbIds): boolean {
  return vendorId === DEFAULT_USB_IDS.vendorId && productId === DEFAULT_USB_IDS.productId;
}

/** Four hex digits each, as `lsusb` prints them. */
export function formatUsbIds({ vendorId, productId }: UsbIds): string {
  return [vendorId, productId].map(id => id.toString(16).padStart(4, '0')).join(':');
}
