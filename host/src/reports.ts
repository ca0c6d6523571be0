export { ReportChannels } from './device/transport/report-channels.js';
export type { ReportDevice } from './device/transport/report-device.js';
export { encodeCancel, encodeReports } from './device/transport/report-framing.js';
export type { ReportTimes } from './device/transport/report-link.js';
export { ReportTransport } from './device/transport/report-transport.js';
export { DEFAULT_USB_IDS, formatUsbIds, isTestId, type UsbIds } from './device/transport/usb/usb-ids.js';
