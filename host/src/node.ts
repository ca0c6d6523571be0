export * from './index.js';
export * from './reports.js';
export {
  type ConnectedDevice,
  type DeviceEvent,
  type DeviceListOptions,
  type DeviceWatchOptions,
  listDevices,
  watchDevices,
} from './transport/devices.js';
export { type HidOptions, HidTransport } from './transport/hid.js';
export type { HidDeviceInfo, HidHandle, HidSystem } from './transport/hid-device.js';
export { HttpTransport } from './transport/http.js';
export { type TcpAddress, TcpTransport } from './transport/tcp.js';
