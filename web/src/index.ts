export { ActivityIndex, type ActivityProgress } from './activity-index.js';
export { Bridge } from './bridge.js';
export { BRIDGE_PORT, bridgeCode } from './bridge-protocol.js';
export type {
  Browser,
  BrowserChannel,
  BrowserHid,
  BrowserIndexedDb,
  BrowserLocks,
  BrowserStorage,
  BrowserUsb,
  HidDevice,
  UsbDevice,
} from './browser.js';
export { currentBrowser } from './browser.js';
export {
  type RememberedDevice,
  type WebDevice,
  type WebDeviceEvent,
  WebDevices,
  type WebDevicesOptions,
} from './devices.js';
export { EmulatorTransport } from './emulator-transport.js';
export { IndexedDbContacts } from './indexed-db-contacts.js';
export { IndexedDbJournal } from './indexed-db-journal.js';
export { IndexedDbText } from './indexed-db-text.js';
export type { UnfinishedReview } from './review-record.js';
export { type RunOptions, SharedSigner, type SharedSignerState } from './shared-signer.js';
