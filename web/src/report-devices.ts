import { TransportError } from '@zbc-signer/host';
import type { ReportDevice } from '@zbc-signer/host/reports';
import type { BrowserHid, BrowserUsb, HidDevice, UsbDevice, UsbInterface } from './browser.js';

const REPORT = 64;
const REPORT_ID = 0;
const VENDOR_CLASS = 0xff;

/** Opens a device of `navigator.hid`; throws TransportError. */
export async function openHid(hid: BrowserHid, device: HidDevice): Promise<ReportDevice> {
  try {
    if (!device.opened) await device.open();
  } catch (cause) {
    throw openError(cause);
  }
  return new HidReports(hid, device);
}

class HidReports implements ReportDevice {
  #end = () => {};

  constructor(
    private readonly hid: BrowserHid,
    private readonly device: HidDevice,
  ) {}

  /** Sends one report after another, because WebHID does not guarantee the order of concurrent reports. */
  async write(reports: readonly Uint8Array[]): Promise<void> {
    for (const report of reports) await this.device.sendReport(REPORT_ID, Uint8Array.from(report));
  }

  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void {
    const read = ({ data }: { data: DataView }) => onReport(bytesOf(data));
    const lose = (event: { device: HidDevice }) => {
      if (event.device === this.device)
        onLost(new Error('the browser reports that the device was unplugged'));
    };
    this.device.addEventListener('inputreport', read);
    this.hid.addEventListener('disconnect', lose);
    this.#end = () => {
      this.device.removeEventListener('inputreport', read);
      this.hid.removeEventListener('disconnect', lose);
    };
  }

  close(): Promise<void> {
    this.#end();
    return this.device.close();
  }
}

/**
 * Opens a device of `navigator.usb` by its vendor interface, because browsers reserve HID interfaces for
 * WebHID.
 */
export async function openUsb(usb: BrowserUsb, device: UsbDevice): Promise<ReportDevice> {
  try {
    if (!device.opened) await device.open();
    if (device.configuration == null) await device.selectConfiguration(1);
    const endpoints = findEndpoints(device);
    await device.claimInterface(endpoints.interfaceNumber);
    return new UsbReports(usb, device, endpoints);
  } catch (cause) {
    if (device.opened) await device.close().catch(() => undefined);
    throw cause instanceof TransportError ? cause : openError(cause);
  }
}

interface Endpoints {
  interfaceNumber: number;
  in: number;
  out: number;
}

function findEndpoints({ configuration }: UsbDevice): Endpoints {
  for (const one of configuration?.interfaces ?? []) {
    const [input, output] = [endpointOf(one, 'in'), endpointOf(one, 'out')];
    if (one.alternates[0]?.interfaceClass === VENDOR_CLASS && input !== undefined && output !== undefined) {
      return { interfaceNumber: one.interfaceNumber, in: input, out: output };
    }
  }
  throw new TransportError('DEVICE_NOT_FOUND', 'the USB device has no interface of a ZBC signer', {
    hint: 'Choose the signer, or connect over HID.',
  });
}

function endpointOf({ alternates }: UsbInterface, direction: 'in' | 'out'): number | undefined {
  return alternates[0]?.endpoints.find(endpoint => endpoint.direction === direction)?.endpointNumber;
}

class UsbReports implements ReportDevice {
  #open = true;
  #lose: ((event: { device: UsbDevice }) => void) | undefined;

  constructor(
    private readonly usb: BrowserUsb,
    private readonly device: UsbDevice,
    private readonly endpoints: Endpoints,
  ) {}

  async write(reports: readonly Uint8Array[]): Promise<void> {
    for (const report of reports) {
      const { status } = await this.device.transferOut(this.endpoints.out, Uint8Array.from(report));
      if (status !== 'ok') throw new Error(`the USB transfer ended with status ${status}`);
    }
  }

  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void {
    this.#lose = event => {
      if (event.device === this.device)
        onLost(new Error('the browser reports that the device was unplugged'));
    };
    this.usb.addEventListener('disconnect', this.#lose);
    void this.#read(onReport, onLost);
  }

  async close(): Promise<void> {
    this.#open = false;
    if (this.#lose !== undefined) this.usb.removeEventListener('disconnect', this.#lose);
    await this.device.close();
  }

  /**
   * Reads reports in a loop. Each transfer waits until the device has a report, even during a long review.
   */
  async #read(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): Promise<void> {
    try {
      while (this.#open) {
        const { data, status } = await this.device.transferIn(this.endpoints.in, REPORT);
        if (status === 'stall') await this.device.clearHalt('in', this.endpoints.in);
        else if (data !== undefined && this.#open) onReport(bytesOf(data));
      }
    } catch (cause) {
      if (this.#open) onLost(cause);
    }
  }
}

/** Copies the bytes, because browsers may reuse the buffer. */
function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

/** Browsers give the same error for a missing permission and for a device that another program holds. */
function openError(cause: unknown): TransportError {
  return new TransportError('DEVICE_NOT_ACCESSIBLE', 'the browser could not open the device', {
    cause,
    hint:
      'Close other programs that use it, plug it in again, and choose it again. On Linux, run ' +
      'zbc-signer udev-rules --install once.',
  });
}
