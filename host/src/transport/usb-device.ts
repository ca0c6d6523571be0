import {
  listingError,
  openError,
  selectDevice,
  type WantedDevice,
  wrongInterfaceError,
} from './device-selection.js';
import type { ReportDevice } from './report-device.js';
import { REPORT_LENGTH } from './report-framing.js';
import type { UsbIds } from './usb-ids.js';

const VENDOR_CLASS = 0xff;
const LIBRARIES_HINT = 'Install the package usb beside this one.';
/** The package ends a transfer by its time limit alone, so that closing waits as long for the last one. */
const READ_MS = 100;
/** A signer takes each report at once. */
const WRITE_MS = 5000;

/** One endpoint of an alternate setting, as WebUSB describes it. */
export interface UsbEndpointInfo {
  endpointNumber: number;
  direction: 'in' | 'out';
  type: string;
}

/** The part of a WebUSB device that is needed, with the time limits of the package usb. */
export interface UsbHandle extends UsbIds {
  readonly serialNumber?: string | null | undefined;
  readonly productName?: string | null | undefined;
  readonly bus: string;
  readonly ports: readonly number[];
  readonly configuration?:
    | {
        interfaces: readonly {
          interfaceNumber: number;
          alternate: { interfaceClass: number; endpoints: readonly UsbEndpointInfo[] };
        }[];
      }
    | null
    | undefined;
  open(): Promise<void>;
  close(): Promise<void>;
  claimInterface(number: number): Promise<void>;
  releaseInterface(number: number): Promise<void>;
  transferIn(
    endpoint: number,
    length: number,
    timeoutMs: number,
  ): Promise<{ data?: DataView | undefined; status?: string | undefined }>;
  transferOut(
    endpoint: number,
    data: Uint8Array<ArrayBuffer>,
    timeoutMs: number,
  ): Promise<{ status?: string | undefined }>;
}

/** What the transport needs of the package usb. */
export interface UsbSystem {
  list(): Promise<readonly UsbHandle[]>;
}

/** A signer that the system lists; `path` is its bus and ports. */
interface UsbDeviceInfo {
  path: string;
  serialNumber: string | undefined;
  product: string | undefined;
  handle: UsbHandle;
}

/** The signer's interface for WebUSB and libusb, and the numbers of its endpoints. */
interface ReportInterface {
  number: number;
  in: number;
  out: number;
}

/** The package usb, loaded only now: it is optional. */
export async function loadUsbSystem(): Promise<UsbSystem> {
  try {
    const { usb } = await import('usb');
    // Its declarations extend those of browsers, which this library does without.
    return { list: () => usb.getDevices() as unknown as Promise<UsbHandle[]> };
  } catch (cause) {
    throw listingError(cause, LIBRARIES_HINT);
  }
}

/** The devices with these ids that the system lists; throws TransportError. */
export async function listUsbDevices(
  system: UsbSystem,
  { vendorId, productId }: UsbIds,
): Promise<UsbDeviceInfo[]> {
  try {
    const listed = await system.list();
    return listed
      .filter(handle => handle.vendorId === vendorId && handle.productId === productId)
      .map(handle => ({
        path: `${handle.bus}-${handle.ports.join('.')}`,
        serialNumber: handle.serialNumber || undefined,
        product: handle.productName || undefined,
        handle,
      }));
  } catch (cause) {
    throw listingError(cause, LIBRARIES_HINT);
  }
}

/** Opens a signer; throws TransportError with what to do when there is none or it cannot be opened. */
export async function openUsbDevice(system: UsbSystem, wanted: WantedDevice): Promise<ReportDevice> {
  const { path, handle } = selectDevice(await listUsbDevices(system, wanted), wanted);
  try {
    await handle.open();
  } catch (cause) {
    throw openError(path, wanted, cause);
  }
  const found = findInterface(handle);
  try {
    if (found !== undefined) await handle.claimInterface(found.number);
  } catch (cause) {
    await handle.close();
    throw openError(path, wanted, cause);
  }
  if (found !== undefined) return new UsbReportDevice(handle, found);
  await handle.close();
  throw wrongInterfaceError(path, 'USB interface');
}

/** Reads with one transfer after another; the device keeps a report until it is asked for. */
class UsbReportDevice implements ReportDevice {
  #isOpen = true;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly handle: UsbHandle,
    private readonly found: ReportInterface,
  ) {}

  async write(report: Uint8Array): Promise<void> {
    const { status } = await this.handle.transferOut(this.found.out, Uint8Array.from(report), WRITE_MS);
    if (status !== 'ok') throw new Error(`the transfer ended with ${status}`);
  }

  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void {
    this.#reading = this.#read(onReport).catch(cause => {
      if (this.#isOpen) onLost(cause);
    });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#reading;
    try {
      await this.handle.releaseInterface(this.found.number);
    } finally {
      await this.handle.close();
    }
  }

  async #read(onReport: (report: Uint8Array) => void): Promise<void> {
    while (this.#isOpen) {
      const report = await this.#next();
      if (report !== undefined) onReport(report);
    }
  }

  /** Undefined when none came in time. */
  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { data, status } = await this.handle.transferIn(this.found.in, REPORT_LENGTH, READ_MS);
      if (status !== 'ok' || data === undefined) throw new Error(`the transfer ended with ${status}`);
      return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    } catch (cause) {
      if (isTimeout(cause)) return undefined;
      throw cause;
    }
  }
}

/** The package reports an expired time limit as a transfer that was cancelled. */
function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && /cancelled|timed? ?out/i.test(cause.message);
}

/** An interface of the vendor's class with bulk endpoints. */
function findInterface({ configuration }: UsbHandle): ReportInterface | undefined {
  for (const { interfaceNumber, alternate } of configuration?.interfaces ?? []) {
    const number = (direction: 'in' | 'out') =>
      alternate.endpoints.find(endpoint => endpoint.type === 'bulk' && endpoint.direction === direction)
        ?.endpointNumber;
    const [incoming, outgoing] = [number('in'), number('out')];
    if (alternate.interfaceClass === VENDOR_CLASS && incoming !== undefined && outgoing !== undefined) {
      return { number: interfaceNumber, in: incoming, out: outgoing };
    }
  }
  return undefined;
}
