/**
 * The parts of a browser that this package uses, declared here because TypeScript's DOM types have no WebHID.
 */
export interface Browser {
  hid?: BrowserHid | undefined;
  usb?: BrowserUsb | undefined;
  locks?: BrowserLocks | undefined;
  /** `localStorage` of the origin. Without it, a review is not remembered across a reload. */
  storage?: BrowserStorage | undefined;
  /** The database of the journal of payments and of the index of activities. */
  indexedDB?: BrowserIndexedDb | undefined;
  /** Opens a channel to the other tabs of the origin. */
  openChannel(name: string): BrowserChannel;
  /** Used for requests to gateways, emulators and the bridge. */
  fetch: typeof globalThis.fetch;
}

/** `navigator.hid`. */
export interface BrowserHid {
  /** The member of WebHID with this name. */
  getDevices(): Promise<HidDevice[]>;
  /** The member of WebHID with this name. */
  requestDevice(options: { filters: object[] }): Promise<HidDevice[]>;
  /** The member of WebHID with this name. */
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
  /** The member of WebHID with this name. */
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
}

/** A device of WebHID. */
export interface HidDevice {
  readonly opened: boolean;
  readonly vendorId: number;
  readonly productId: number;
  readonly productName?: string;
  readonly collections: readonly { readonly usagePage?: number }[];
  /** The member of WebHID with this name. */
  open(): Promise<void>;
  /** The member of WebHID with this name. */
  close(): Promise<void>;
  /** The member of WebHID with this name. */
  sendReport(reportId: number, data: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The member of WebHID with this name. */
  addEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
  /** The member of WebHID with this name. */
  removeEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
}

/** `navigator.usb`. */
export interface BrowserUsb {
  /** The member of WebUSB with this name. */
  getDevices(): Promise<UsbDevice[]>;
  /** The member of WebUSB with this name. */
  requestDevice(options: { filters: object[] }): Promise<UsbDevice>;
  /** The member of WebUSB with this name. */
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: UsbDevice }) => void): void;
  /** The member of WebUSB with this name. */
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
  /** The member of WebUSB with this name. */
  open(): Promise<void>;
  /** The member of WebUSB with this name. */
  close(): Promise<void>;
  /** The member of WebUSB with this name. */
  selectConfiguration(value: number): Promise<void>;
  /** The member of WebUSB with this name. */
  claimInterface(number: number): Promise<void>;
  /** The member of WebUSB with this name. */
  transferIn(
    endpoint: number,
    length: number,
  ): Promise<{ readonly data?: DataView | undefined; readonly status?: string | undefined }>;
  /** The member of WebUSB with this name. */
  transferOut(
    endpoint: number,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<{ readonly status?: string | undefined }>;
  /** The member of WebUSB with this name. */
  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void>;
}

interface LockOptions {
  ifAvailable?: boolean;
  steal?: boolean;
  signal?: AbortSignal;
}

/** `navigator.locks`. */
export interface BrowserLocks {
  /** The member of Web Locks with this name. */
  request<Result>(
    name: string,
    options: LockOptions,
    callback: (lock: object | null) => Promise<Result>,
  ): Promise<Result>;
  /** The member of Web Locks with this name: it lists the locks that tabs of the origin hold. */
  query(): Promise<{ held?: { name?: string }[] }>;
}

/** `localStorage`. */
export interface BrowserStorage {
  /** The member of Web Storage with this name: the number of keys. */
  readonly length: number;
  /** The member of Web Storage with this name. */
  key(index: number): string | null;
  /** The member of Web Storage with this name. */
  getItem(key: string): string | null;
  /** The member of Web Storage with this name. */
  setItem(key: string, value: string): void;
  /** The member of Web Storage with this name. */
  removeItem(key: string): void;
}

/** The type of `indexedDB` in programs that have the types of the DOM, otherwise `object`. */
export type BrowserIndexedDb = typeof globalThis extends { indexedDB: infer Factory } ? Factory : object;

/** A BroadcastChannel. */
export interface BrowserChannel {
  /** The member of BroadcastChannel with this name. */
  postMessage(message: unknown): void;
  /** The member of BroadcastChannel with this name. */
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  /** The member of BroadcastChannel with this name. */
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
    // Browsers throw if fetch is called with a `this` other than the global object.
    fetch: (...request) => globalThis.fetch(...request),
  };
}

/** Opens a storage; returns undefined if the user has disabled storage for this site. */
function openIfAllowed<Storage>(open: () => Storage): Storage | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
