/** The parts of a browser that this package uses, declared here as TypeScript's DOM types have no WebHID. */
export interface Browser {
  hid?: BrowserHid | undefined;
  usb?: BrowserUsb | undefined;
  locks?: BrowserLocks | undefined;
  /** For the whole origin; without it, a review is not remembered across a reload. */
  storage?: BrowserStorage | undefined;
  /** For the journal of payments. */
  indexedDB?: BrowserIndexedDb | undefined;
  /** Messages to the other tabs of the origin. */
  openChannel(name: string): BrowserChannel;
  /** For gateways, emulators and the bridge. */
  fetch: typeof globalThis.fetch;
}

/** `navigator.hid`. */
export interface BrowserHid {
  /** As in WebHID. */
  getDevices(): Promise<HidDevice[]>;
  /** As in WebHID. */
  requestDevice(options: { filters: object[] }): Promise<HidDevice[]>;
  /** As in WebHID. */
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
  /** As in WebHID. */
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
}

/** A device of WebHID. */
export interface HidDevice {
  readonly opened: boolean;
  readonly vendorId: number;
  readonly productId: number;
  readonly productName?: string;
  readonly collections: readonly { readonly usagePage?: number }[];
  /** As in WebHID. */
  open(): Promise<void>;
  /** As in WebHID. */
  close(): Promise<void>;
  /** As in WebHID. */
  sendReport(reportId: number, data: Uint8Array<ArrayBuffer>): Promise<void>;
  /** As in WebHID. */
  addEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
  /** As in WebHID. */
  removeEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
}

/** `navigator.usb`. */
export interface BrowserUsb {
  /** As in WebUSB. */
  getDevices(): Promise<UsbDevice[]>;
  /** As in WebUSB. */
  requestDevice(options: { filters: object[] }): Promise<UsbDevice>;
  /** As in WebUSB. */
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: UsbDevice }) => void): void;
  /** As in WebUSB. */
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: { device: UsbDevice }) => void): void;
}

interface UsbEndpoint {
  readonly endpointNumber: number;
  readonly direction: 'in' | 'out';
}

/** An interface of a device of WebUSB. */
export interface UsbInterface {
  readonly interfaceNumber: number;
  readonly alternates: readonly {
    readonly interfaceClass: number;
    readonly endpoints: readonly UsbEndpoint[];
  }[];
}

/** A device of WebUSB. */
export interface UsbDevice {
  readonly opened: boolean;
  readonly vendorId: number;
  readonly productId: number;
  readonly productName?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly configuration?: { readonly interfaces: readonly UsbInterface[] } | null | undefined;
  /** As in WebUSB. */
  open(): Promise<void>;
  /** As in WebUSB. */
  close(): Promise<void>;
  /** As in WebUSB. */
  selectConfiguration(value: number): Promise<void>;
  /** As in WebUSB. */
  claimInterface(number: number): Promise<void>;
  /** As in WebUSB. */
  transferIn(
    endpoint: number,
    length: number,
  ): Promise<{ readonly data?: DataView | undefined; readonly status?: string | undefined }>;
  /** As in WebUSB. */
  transferOut(
    endpoint: number,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<{ readonly status?: string | undefined }>;
  /** As in WebUSB. */
  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void>;
}

interface LockOptions {
  ifAvailable?: boolean;
  steal?: boolean;
  signal?: AbortSignal;
}

/** `navigator.locks`. */
export interface BrowserLocks {
  /** As in Web Locks. */
  request<Result>(
    name: string,
    options: LockOptions,
    callback: (lock: object | null) => Promise<Result>,
  ): Promise<Result>;
  /** As in Web Locks: the locks that tabs of the origin hold. */
  query(): Promise<{ held?: { name?: string }[] }>;
}

/** `localStorage`. */
export interface BrowserStorage {
  /** As in Web Storage: the number of keys. */
  readonly length: number;
  /** As in Web Storage. */
  key(index: number): string | null;
  /** As in Web Storage. */
  getItem(key: string): string | null;
  /** As in Web Storage. */
  setItem(key: string, value: string): void;
  /** As in Web Storage. */
  removeItem(key: string): void;
}

/** `indexedDB`, in programs that have the types of the DOM. */
export type BrowserIndexedDb = typeof globalThis extends { indexedDB: infer Factory } ? Factory : object;

/** A BroadcastChannel. */
export interface BrowserChannel {
  /** As in BroadcastChannel. */
  postMessage(message: unknown): void;
  /** As in BroadcastChannel. */
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  /** As in BroadcastChannel. */
  close(): void;
}

/** This page's browser. Device interfaces and locks exist only on https and localhost pages. */
export function currentBrowser(): Browser {
  const { navigator } = globalThis as {
    navigator?: { hid?: BrowserHid; usb?: BrowserUsb; locks?: BrowserLocks };
  };
  return {
    hid: navigator?.hid,
    usb: navigator?.usb,
    locks: navigator?.locks,
    storage: openIfAllowed(() => globalThis.localStorage),
    indexedDB: openIfAllowed(() => globalThis.indexedDB),
    openChannel: name => new BroadcastChannel(name),
    // Browsers reject fetch with another `this`.
    fetch: (...request) => globalThis.fetch(...request),
  };
}

/** Returns undefined if the user has disabled the storage for this site. */
function openIfAllowed<Storage>(open: () => Storage): Storage | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
