/** The parts of a browser that this package uses: TypeScript's DOM types have no WebHID. */
export interface Browser {
  hid?: BrowserHid | undefined;
  usb?: BrowserUsb | undefined;
  locks?: BrowserLocks | undefined;
  /** For the whole origin; it must be there for a review to be remembered over a reload. */
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
  /** Of WebHID. */
  getDevices(): Promise<HidDevice[]>;
  /** Of WebHID. */
  requestDevice(options: { filters: object[] }): Promise<HidDevice[]>;
  /** Of WebHID. */
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
  /** Of WebHID. */
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
}

/** A device of WebHID. */
export interface HidDevice {
  readonly opened: boolean;
  readonly vendorId: number;
  readonly productId: number;
  readonly productName?: string;
  readonly collections: readonly { readonly usagePage?: number }[];
  /** Of WebHID. */
  open(): Promise<void>;
  /** Of WebHID. */
  close(): Promise<void>;
  /** Of WebHID. */
  sendReport(reportId: number, data: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Of WebHID. */
  addEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
  /** Of WebHID. */
  removeEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
}

/** `navigator.usb`. */
export interface BrowserUsb {
  /** Of WebUSB. */
  getDevices(): Promise<UsbDevice[]>;
  /** Of WebUSB. */
  requestDevice(options: { filters: object[] }): Promise<UsbDevice>;
  /** Of WebUSB. */
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: UsbDevice }) => void): void;
  /** Of WebUSB. */
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
  /** Of WebUSB. */
  open(): Promise<void>;
  /** Of WebUSB. */
  close(): Promise<void>;
  /** Of WebUSB. */
  selectConfiguration(value: number): Promise<void>;
  /** Of WebUSB. */
  claimInterface(number: number): Promise<void>;
  /** Of WebUSB. */
  transferIn(
    endpoint: number,
    length: number,
  ): Promise<{ readonly data?: DataView | undefined; readonly status?: string | undefined }>;
  /** Of WebUSB. */
  transferOut(
    endpoint: number,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<{ readonly status?: string | undefined }>;
  /** Of WebUSB. */
  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void>;
}

interface LockOptions {
  ifAvailable?: boolean;
  steal?: boolean;
  signal?: AbortSignal;
}

/** `navigator.locks`. */
export interface BrowserLocks {
  /** Of Web Locks. */
  request<Result>(
    name: string,
    options: LockOptions,
    callback: (lock: object | null) => Promise<Result>,
  ): Promise<Result>;
  /** Of Web Locks: those that tabs of the origin hold. */
  query(): Promise<{ held?: { name?: string }[] }>;
}

/** `localStorage`. */
export interface BrowserStorage {
  /** Of Web Storage: the number of keys. */
  readonly length: number;
  /** Of Web Storage. */
  key(index: number): string | null;
  /** Of Web Storage. */
  getItem(key: string): string | null;
  /** Of Web Storage. */
  setItem(key: string, value: string): void;
  /** Of Web Storage. */
  removeItem(key: string): void;
}

/** `indexedDB`, in programs that have the types of the DOM. */
export type BrowserIndexedDb = typeof globalThis extends { indexedDB: infer Factory } ? Factory : object;

/** A BroadcastChannel. */
export interface BrowserChannel {
  /** Of BroadcastChannel. */
  postMessage(message: unknown): void;
  /** Of BroadcastChannel. */
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  /** Of BroadcastChannel. */
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

/** Undefined where the user has switched it off. */
function openIfAllowed<Storage>(open: () => Storage): Storage | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
