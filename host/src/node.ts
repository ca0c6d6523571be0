export { FileJournal } from './file-journal.js';
export * from './index.js';
export * from './reports.js';
export { openTransport } from './transport/device-name.js';
export {
  type ConnectedDevice,
  type DeviceEvent,
  type DeviceListOptions,
  type DeviceWatchOptions,
  listDevices,
  type UsbTransportName,
  watchDevices,
} from './transport/devices.js';
export { type HidOptions, HidTransport } from './transport/hid.js';
export type { HidDeviceInfo, HidHandle, HidSystem } from './transport/hid-device.js';
export type { Hotplug } from './transport/hotplug.js';
export { HttpTransport } from './transport/http.js';
export { type TcpAddress, TcpTransport } from './transport/tcp.js';
export { UartTransport } from './transport/uart.js';
export { encodeUartPacket, type UartPacket, UartPacketReader } from './transport/uart-packets.js';
export { UDEV_RULES_FILE, udevRules } from './transport/udev-rules.js';
export { type UsbOptions, UsbTransport } from './transport/usb.js';
export type { UsbEndpointInfo, UsbHandle, UsbSystem } from './transport/usb-device.js';
