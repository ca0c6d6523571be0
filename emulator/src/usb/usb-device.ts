import { ControlEndpoint } from './control-endpoint.js';
import {
  type Descriptors,
  describeDevice,
  HID_ENDPOINT,
  REPORT_LENGTH,
  type UsbIdentity,
  VENDOR_ENDPOINT,
} from './descriptors.js';
import { InEndpoint } from './in-endpoint.js';
import { Pacer } from './pacer.js';
import type { SetupPacket } from './setup-packet.js';

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
