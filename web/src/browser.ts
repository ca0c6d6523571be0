/** The parts of a browser that this package uses: TypeScript's DOM types have no WebHID. */
export interface Browser {
  hid?: BrowserHid | undefined;
  usb?: BrowserUsb | undefined;
  locks?: BrowserLocks | undefined;
  /** For the whole origin; it must be there for a review to be remembered over a reload. */
  storage?: BrowserStorage | undefined;
  openChannel(name: string): BrowserChannel;
  fetch: typeof globalThis.fetch;
}

export interface BrowserHid {
  getDevices(): Promise<HidDevice[]>;
  requestDevice(options: { filters: object[] }): Promise<HidDevice[]>;
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void;
}

export interface HidDevice {
  readonly opened: boolean;
  readonly vendorId: number;
  readonly productId: number;
  readonly productName?: string;
  readonly collections: readonly { readonly usagePage?: number }[];
  open(): Promise<void>;
  close(): Promise<void>;
  sendReport(reportId: number, data: Uint8Array<ArrayBuffer>): Promise<void>;
  addEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
  removeEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void;
}

export interface BrowserUsb {
  getDevices(): Promise<UsbDevice[]>;
  requestDevice(options: { filters: object[] }): Promise<UsbDevice>;
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: UsbDevice }) => void): void;
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: { device: UsbDevice }) => void): void;
}

interface UsbEndpoint {
  readonly endpointNumber: number;
  readonly direction: 'in' | 'out';
}

export interface UsbInterface {
  readonly interfaceNumber: number;
  readonly alternates: readonly {
    readonly interfaceClass: number;
    readonly endpoints: readonly UsbEndpoint[];
  }[];
}

export interface UsbDevice {
  readonly opened: boolean;
  readonly vendorId: number;
  readonly productId: number;
  readonly productName?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly configuration?: { readonly interfaces: readonly UsbInterface[] } | null | undefined;
  open(): Promise<void>;
  close(): Promise<void>;
  selectConfiguration(value: number): Promise<void>;
  claimInterface(number: number): Promise<void>;
  transferIn(
    endpoint: number,
    length: number,
  ): Promise<{ readonly data?: DataView | undefined; readonly status?: string | undefined }>;
  transferOut(
    endpoint: number,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<{ readonly status?: string | undefined }>;
  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void>;
}

interface LockOptions {
  ifAvailable?: boolean;
  steal?: boolean;
  signal?: AbortSignal;
}

export interface BrowserLocks {
  request<Result>(
    name: string,
    options: LockOptions,
    callback: (lock: object | null) => Promise<Result>,
  ): Promise<Result>;
}

export interface BrowserStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface BrowserChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
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
    storage: openStorage(),
    openChannel: name => new BroadcastChannel(name),
    // Browsers reject fetch with another `this`.
    fetch: (...request) => globalThis.fetch(...request),
  };
}

/** Undefined where the user has switched it off. */
function openStorage(): BrowserStorage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
