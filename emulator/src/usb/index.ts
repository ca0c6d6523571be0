export {
  describeDevice,
  HID_ENDPOINT,
  HID_INTERFACE,
  MS_OS_REQUEST,
  VENDOR_ENDPOINT,
  VENDOR_INTERFACE,
  WEBUSB_REQUEST,
} from './descriptors.js';
export { emulatedUsbDevice } from './emulated-device.js';
export { createUsbipServer } from './usbip-server.js';
