export { FileContacts } from './contacts/file-contacts.js';
export { openTransport } from './device/transport/device-name.js';
export {
  type ConnectedDevice,
  type DeviceEvent,
  type DeviceListOptions,
  type DeviceWatchOptions,
  listDevices,
  type UsbTransportName,
  watchDevices,
} from './device/transport/devices.js';
export type { Hotplug } from './device/transport/hotplug.js';
export { HttpTransport } from './device/transport/http.js';
export { type TcpAddress, TcpTransport } from './device/transport/serial/tcp.js';
export { UartTransport } from './device/transport/serial/uart.js';
export {
  encodeUartPacket,
  type UartPacket,
  UartPacketReader,
} from './device/transport/serial/uart-packets.js';
export type { DeviceOptions } from './device/transport/usb/device-selection.js';
export { HidTransport } from './device/transport/usb/hid.js';
export type { HidDeviceInfo, HidHandle, HidSystem } from './device/transport/usb/hid-device.js';
export { UDEV_RULES_FILE, udevRules } from './device/transport/usb/udev-rules.js';
export { UsbTransport } from './device/transport/usb/usb.js';
export type { UsbEndpointInfo, UsbHandle, UsbSystem } from './device/transport/usb/usb-device.js';
export { UsbipTransport } from './device/transport/usb/usbip.js';
export { FileJournal } from './flow/journal/file-journal.js';
export * from './index.js';
export * from './reports.js';
export { TextFile } from './text-file.js';
