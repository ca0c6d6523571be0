/** The vendor id of 1209:0001, for tests only. A device maker sets its own ids (docs/APDU.md#transports). */
export const TEST_VENDOR_ID = 0x1209;
/** The product id of 1209:0001, for tests only. */
export const TEST_PRODUCT_ID = 0x0001;
