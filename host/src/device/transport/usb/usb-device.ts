import { TransportError } from '../../../errors.js';
import { ReportChannels } from '../report-channels.js';
import type { ReportDevice } from '../report-device.js';
import { encodeReports, REPORT_LENGTH, ReplyAssembler } from '../report-framing.js';
import { PROBE } from '../report-link.js';
import {
  listingError,
  openError,
  selectDevice,
  type WantedDevice,
  wrongInterfaceError,
} from './device-selection.js';
import type { UsbIds } from './usb-ids.js';

const VENDOR_CLASS = 0xff;
const LIBRARIES_HINT = 'On Linux, the package usb needs /sys/bus/usb, which some containers lack.';
/**
 * Time limit of a read. It is the longest that the package allows, because a cancelled transfer may lose a
 * report.
 */
const READ_MS = 0xffff_ffff;
/** Time limit of a write. A signer accepts each report at once. */
const WRITE_MS = 5000;
/** If the signer does not answer within this time when the connection is closed, the signer is reset. */
const LAST_MS = 2000;

/** One endpoint of an alternate setting, as WebUSB describes it. */
export interface UsbEndpointInfo {
  endpointNumber: number;
  direction: 'in' | 'out';
  type: string;
}

/** The methods of a WebUSB device that this library uses, with the time limits of the package usb. */
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
  /** WebUSB's method. */
  open(): Promise<void>;
  /** WebUSB's method. */
  close(): Promise<void>;
  /** WebUSB's method. */
  claimInterface(number: number): Promise<void>;
  /** WebUSB's method. */
  releaseInterface(number: number): Promise<void>;
  /** WebUSB's method. */
  reset(): Promise<void>;
  /** WebUSB's method, with a time limit in milliseconds. */
  transferIn(
    endpoint: number,
    length: number,
    timeoutMs: number,
  ): Promise<{ data?: DataView | undefined; status?: string | undefined }>;
  /** WebUSB's method, with a time limit in milliseconds. */
  transferOut(
    endpoint: number,
    data: Uint8Array<ArrayBuffer>,
    timeoutMs: number,
  ): Promise<{ status?: string | undefined }>;
}

/** The functions of the package usb that this library uses. */
export interface UsbSystem {
  /** Every USB device that the system lists. */
  list(): Promise<readonly UsbHandle[]>;
}

/** A signer in the system's list; `path` is made of its bus and ports. */
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

/** Loads the package usb on first use, because it is optional. */
export async function loadUsbSystem(): Promise<UsbSystem> {
  try {
    const { usb } = await import('usb');
    // The package's declarations extend those of browsers, which this library does not load.
    return { list: () => usb.getDevices() as unknown as Promise<UsbHandle[]> };
  } catch (cause) {
    throw listingError(cause, 'usb', LIBRARIES_HINT);
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
    throw listingError(cause, 'usb', LIBRARIES_HINT);
  }
}

/** Opens a signer; throws TransportError with a remedy if it is missing or cannot be opened. */
export async function openUsbDevice(system: UsbSystem, wanted: WantedDevice): Promise<ReportDevice> {
  const { path, handle } = selectDevice(await listUsbDevices(system, wanted), wanted);
  try {
    await handle.open();
    const found = findInterface(handle, path);
    await handle.claimInterface(found.number);
    return new UsbReportDevice(handle, found);
  } catch (cause) {
    // The original error matters, not that of closing a device that was never claimed.
    await handle.close().catch(() => undefined);
    throw cause instanceof TransportError ? cause : openError(path, wanted, cause);
  }
}

/**
 * Reads with one transfer after another. The device keeps each report until a transfer requests it. Only a
 * report or a reset ends a transfer, so `close` sends a command, whose reply ends the last transfer.
 */
class UsbReportDevice implements ReportDevice {
  #isOpen = true;
  #reading: Promise<void> = Promise.resolve();
  #isReading = false;
  /** Assembles the reply to the command that `close` sends. */
  readonly #last = new ReplyAssembler(new ReportChannels().take());

  constructor(
    private readonly handle: UsbHandle,
    private readonly found: ReportInterface,
  ) {}

  /** Writes one report after another, because the package allows only one running transfer per endpoint. */
  async write(reports: readonly Uint8Array[]): Promise<void> {
    for (const report of reports) {
      const { status } = await this.handle.transferOut(this.found.out, Uint8Array.from(report), WRITE_MS);
      if (status !== 'ok') throw new Error(`the transfer ended with ${status}`);
    }
  }

  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void {
    this.#isReading = true;
    this.#reading = this.#read(onReport)
      .catch(cause => {
        if (this.#isOpen) onLost(cause);
      })
      .finally(() => {
        this.#isReading = false;
      });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#isReading) await this.#endReading();
    try {
      await this.handle.releaseInterface(this.found.number);
    } finally {
      await this.handle.close();
    }
  }

  /** Sends a command and reads until its reply. If the device is gone, the reading ends too. */
  async #endReading(): Promise<void> {
    const written = this.write(encodeReports(this.#last.channel, PROBE)).catch(() => undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reset = new Promise<void>(resolve => {
      timer = setTimeout(() => void this.handle.reset().then(resolve, () => resolve()), LAST_MS);
    });
    await Promise.race([Promise.all([this.#reading, written]), reset]);
    clearTimeout(timer);
  }

  async #read(onReport: (report: Uint8Array) => void): Promise<void> {
    for (;;) {
      const report = await this.#next();
      if (this.#isOpen) onReport(report);
      else if (this.#last.add(report) !== undefined) return;
    }
  }

  async #next(): Promise<Uint8Array> {
    const { data, status } = await this.handle.transferIn(this.found.in, REPORT_LENGTH, READ_MS);
    if (status !== 'ok' || data === undefined) throw new Error(`the transfer ended with ${status}`);
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
}

/**
 * Finds an interface of the vendor-specific class with bulk endpoints; throws TransportError if there is
 * none.
 */
function findInterface(handle: UsbHandle, path: string): ReportInterface {
  for (const { interfaceNumber, alternate } of configurationOf(handle, path)?.interfaces ?? []) {
    const number = (direction: 'in' | 'out') =>
      alternate.endpoints.find(endpoint => endpoint.type === 'bulk' && endpoint.direction === direction)
        ?.endpointNumber;
    const [incoming, outgoing] = [number('in'), number('out')];
    if (alternate.interfaceClass === VENDOR_CLASS && incoming !== undefined && outgoing !== undefined) {
      return { number: interfaceNumber, in: incoming, out: outgoing };
    }
  }
  throw wrongInterfaceError(path, 'USB interface');
}

/**
 * The configuration of the device. To read it, the package requests every interface's name and waits 100 ms.
 */
function configurationOf(handle: UsbHandle, path: string): UsbHandle['configuration'] {
  try {
    return handle.configuration;
  } catch (cause) {
    throw new TransportError('TRANSPORT_FAILED', `the device ${path} does not describe its interfaces`, {
      cause,
      hint: 'Unplug it, plug it in again, and retry.',
    });
  }
}
