export type { ReportDevice } from './transport/report-device.js';
export type { ReportTimes } from './transport/report-link.js';
export { ReportTransport } from './transport/report-transport.js';
export { DEFAULT_USB_IDS, formatUsbIds, isTestId, type UsbIds } from './transport/usb-ids.js';
