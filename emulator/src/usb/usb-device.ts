import { randomBytes } from 'node:crypto';
import { TEST_PRODUCT_ID, TEST_VENDOR_ID } from '@zbc-signer/protocol/usb-ids';
import type { Emulator } from '../harness/emulator.js';
import type { SetupPacket } from './control-endpoint.js';
import { ControlEndpoint } from './control-endpoint.js';
import {
  type Descriptors,
  describeDevice,
  HID_ENDPOINT,
  REPORT_LENGTH,
  type UsbIdentity,
  VENDOR_ENDPOINT,
} from './descriptors.js';

const REPORT_MS = 1;
/**
 * Maximum number of reports that pass at once after a late timer. More could overflow the queue of a host,
 * which holds 63.
 */
const MOST_LATE = 8;

/** Passes one report per millisecond, like a full-speed interrupt endpoint. */
class Pacer {
  #due = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting: (() => void)[] = [];

  /**
   * Runs `action` in its turn, at once if possible. The returned function withdraws the action, and returns
   * whether the action was still waiting.
   */
  queue(action: () => void): () => boolean {
    this.#waiting.push(action);
    if (this.#timer === undefined) this.#run();
    return () => withdraw(this.#waiting, action);
  }

  /** Drops all waiting actions. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.length = 0;
  }

  #run(): void {
    this.#timer = undefined;
    const now = performance.now();
    this.#due = Math.max(this.#due, now - MOST_LATE * REPORT_MS);
    while (this.#waiting.length > 0 && this.#due <= now) {
      this.#due += REPORT_MS;
      this.#waiting.shift()!();
    }
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#run(), this.#due - now);
  }
}

/** Removes an entry from a queue. Returns false if the queue no longer has it. */
function withdraw<T>(queue: T[], entry: T): boolean {
  const at = queue.indexOf(entry);
  if (at >= 0) queue.splice(at, 1);
  return at >= 0;
}

type Deliver = (report: Uint8Array) => void;

/** The device's side of an IN endpoint. Reports wait for transfers, and transfers wait for reports. */
class InEndpoint {
  readonly #pacer = new Pacer();
  #reports: Uint8Array[] = [];
  #transfers: Deliver[] = [];

  /** Sends a report when the host next requests one. */
  send(report: Uint8Array): void {
    this.#reports.push(report);
    this.#match();
  }

  /**
   * Requests a report for the host. The returned function withdraws the request, and returns whether the
   * request was still open.
   */
  transfer(deliver: Deliver): () => boolean {
    this.#transfers.push(deliver);
    this.#match();
    return () => withdraw(this.#transfers, deliver);
  }

  /** Drops every unread report and every open transfer. */
  reset(): void {
    this.#pacer.clear();
    this.#reports = [];
    this.#transfers = [];
  }

  #match(): void {
    if (this.#reports.length > 0 && this.#transfers.length > 0) this.#pacer.queue(() => this.#deliver());
  }

  /** In the meantime, the transfer may have been withdrawn, or may have received its report. */
  #deliver(): void {
    if (this.#reports.length === 0 || this.#transfers.length === 0) return;
    this.#transfers.shift()!(this.#reports.shift()!);
  }
}

/** The destination of 64-byte reports, and the source of replies. */
interface ReportPort {
  /**
   * Passes a report of an endpoint to the firmware. Passes each report of the reply to `reply`, possibly
   * later.
   */
  send(report: Uint8Array, reply: (report: Uint8Array) => void, endpoint: number): void;
  /** Drops the review of a disconnected host. */
  disconnect(): void;
}

/**
 * A signer as a USB device: HID and a vendor interface, which carry the same reports
 * (docs/APDU.md#transports).
 */
export class UsbDevice {
  readonly descriptors: Descriptors;
  readonly #control: ControlEndpoint;
  readonly #in = new Map([HID_ENDPOINT, VENDOR_ENDPOINT].map(number => [number, new InEndpoint()]));
  readonly #out = new Map([HID_ENDPOINT, VENDOR_ENDPOINT].map(number => [number, new Pacer()]));

  constructor(
    identity: UsbIdentity,
    private readonly port: ReportPort,
  ) {
    this.descriptors = describeDevice(identity);
    this.#control = new ControlEndpoint(this.descriptors, {
      report: report => this.#take(HID_ENDPOINT, report),
      configured: () => this.#empty(),
    });
  }

  /** Returns the data of the answer, possibly empty, or undefined to stall. */
  control(setup: SetupPacket, data: Uint8Array): Uint8Array | undefined {
    return this.#control.request(setup, data);
  }

  /**
   * Starts an OUT transfer. `accept` is called when the device has accepted the transfer. The returned
   * function withdraws the transfer, and returns whether it was still open. Returns undefined to stall, if
   * there is no such endpoint or `data` does not have the length of a report.
   */
  out(endpoint: number, data: Uint8Array, accept: () => void): (() => boolean) | undefined {
    const pacer = data.length === REPORT_LENGTH ? this.#out.get(endpoint) : undefined;
    return pacer?.queue(() => {
      accept();
      this.#take(endpoint, data);
    });
  }

  /**
   * Starts an IN transfer. The returned function withdraws the transfer, and returns whether it was still
   * open. Returns undefined to stall, if there is no such endpoint.
   */
  in(endpoint: number, deliver: (report: Uint8Array) => void): (() => boolean) | undefined {
    return this.#in.get(endpoint)?.transfer(deliver);
  }

  /** Resets the device after a host has attached or detached it. */
  reset(): void {
    this.#control.reset();
    this.#empty();
    this.port.disconnect();
  }

  #take(endpoint: number, report: Uint8Array): void {
    this.port.send(report, reply => this.#in.get(endpoint)!.send(reply), endpoint);
  }

  #empty(): void {
    for (const endpoint of this.#in.values()) endpoint.reset();
    for (const pacer of this.#out.values()) pacer.clear();
  }
}

const LANDING_PAGE = '127.0.0.1:8883/wallet/';

/** The fields of the identity that can be set. */
export type UsbOptions = { [Name in keyof UsbIdentity]?: UsbIdentity[Name] | undefined };

/** The emulator as a USB device, identified by its serial number. */
export function emulatedUsbDevice(emulator: Emulator, identity: UsbOptions): UsbDevice {
  const complete = {
    vendorId: identity.vendorId ?? TEST_VENDOR_ID,
    productId: identity.productId ?? TEST_PRODUCT_ID,
    serialNumber: identity.serialNumber ?? `EMU${randomBytes(4).toString('hex').toUpperCase()}`,
    landingPage: identity.landingPage ?? LANDING_PAGE,
  };
  return new UsbDevice(complete, {
    send: (report, reply, endpoint) => emulator.report(report, reply, endpoint),
    disconnect: () => emulator.disconnectReports(),
  });
}
