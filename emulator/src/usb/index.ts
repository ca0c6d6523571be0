export type { SetupPacket } from './control-endpoint.js';
export {
  type Descriptors,
  describeDevice,
  HID_ENDPOINT,
  HID_INTERFACE,
  MS_OS_REQUEST,
  type UsbIdentity,
  VENDOR_ENDPOINT,
  VENDOR_INTERFACE,
  WEBUSB_REQUEST,
} from './descriptors.js';
export type { UsbDevice } from './usb-device.js';
export { emulatedUsbDevice, type UsbOptions } from './usb-device.js';
export type { UsbipDevice } from './usbip-connection.js';
export { createUsbipServer, type UsbipServer } from './usbip-connection.js';
export type { OfferedDevice } from './usbip-messages.js';
