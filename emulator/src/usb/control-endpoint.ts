import {
  type Descriptors,
  HID_INTERFACE,
  MS_OS_REQUEST,
  REPORT_LENGTH,
  VENDOR_INTERFACE,
  WEBUSB_REQUEST,
} from './descriptors.js';

/** The eight bytes that open a control transfer (USB 2.0, 9.3). */
export interface SetupPacket {
  /** Direction, type and recipient. */
  requestType: number;
  request: number;
  value: number;
  index: number;
  length: number;
}

export function parseSetup(bytes: Buffer): SetupPacket {
  return {
    requestType: bytes[0]!,
    request: bytes[1]!,
    value: bytes.readUInt16LE(2),
    index: bytes.readUInt16LE(4),
    length: bytes.readUInt16LE(6),
  };
}

const DONE = new Uint8Array();
const GET_URL = 2;
const MS_OS_DESCRIPTOR_SET = 7;
const INPUT_REPORT = 1;
const OUTPUT_REPORT = 2;

/**
 * Returns the answer to a control request: the data of an IN transfer, no bytes for an OUT transfer, or
 * undefined to stall.
 */
type Answer = (setup: SetupPacket, data: Uint8Array) => Uint8Array | undefined;

interface Host {
  /** Receives an output report from the control endpoint. */
  report(report: Uint8Array): void;
  /** Called when the host has chosen a configuration, which empties the endpoints. */
  configured(): void;
}

/** Endpoint 0: the standard, HID class and vendor requests that hosts make of this device (USB 2.0, 9.4). */
export class ControlEndpoint {
  #configuration = 0;
  readonly #answers: Readonly<Record<string, Answer>>;

  constructor(
    private readonly descriptors: Descriptors,
    private readonly host: Host,
  ) {
    this.#answers = { ...this.#standard(), ...this.#interface(), ...this.#hidClass(), ...this.#vendor() };
  }

  /** Returns the data to send, possibly empty, or undefined to stall. */
  request(setup: SetupPacket, data: Uint8Array): Uint8Array | undefined {
    const { requestType, request, length } = setup;
    const key = `${requestType.toString(16).padStart(2, '0')}:${request}`;
    const answer = Object.hasOwn(this.#answers, key) ? this.#answers[key] : undefined;
    return answer?.(setup, data)?.subarray(0, length);
  }

  reset(): void {
    this.#configuration = 0;
  }

  #standard(): Record<string, Answer> {
    const status: Answer = () => Uint8Array.of(0, 0);
    const feature: Answer = () => DONE;
    return {
      '80:6': ({ value }) => this.#descriptor(value >> 8, value & 0xff),
      '80:8': () => Uint8Array.of(this.#configuration),
      '00:9': ({ value }) => this.#configure(value),
      ...{ '80:0': status, '81:0': status, '82:0': status },
      ...{ '00:1': feature, '02:1': feature, '00:3': feature, '02:3': feature },
    };
  }

  #interface(): Record<string, Answer> {
    return {
      '81:6': ({ value, index }) => this.#hidDescriptor(value >> 8, index),
      '81:10': ({ index }) => (this.#isInterface(index) ? Uint8Array.of(0) : undefined),
      '01:11': ({ value, index }) => (value === 0 && this.#isInterface(index) ? DONE : undefined),
    };
  }

  /** Interfaces exist only once the device is configured (USB 2.0, 9.4). */
  #isInterface(index: number): boolean {
    return this.#configuration !== 0 && index <= VENDOR_INTERFACE;
  }

  /**
   * GET_REPORT is mandatory. Its report consists of zeros, because replies are sent only over the other
   * endpoints.
   */
  #hidClass(): Record<string, Answer> {
    return {
      '21:9': ({ value, index }, data) => this.#setReport(value >> 8, index, data),
      '21:10': ({ index }) => (index === HID_INTERFACE && this.#isInterface(index) ? DONE : undefined),
      'a1:1': ({ value, index }) =>
        value >> 8 === INPUT_REPORT && index === HID_INTERFACE && this.#isInterface(index)
          ? new Uint8Array(REPORT_LENGTH)
          : undefined,
    };
  }

  #vendor(): Record<string, Answer> {
    const { landingPage, msOs } = this.descriptors;
    return {
      [`c0:${WEBUSB_REQUEST}`]: ({ value, index }) =>
        index === GET_URL && value === 1 ? landingPage : undefined,
      [`c0:${MS_OS_REQUEST}`]: ({ index }) => (index === MS_OS_DESCRIPTOR_SET ? msOs : undefined),
    };
  }

  /** A request for the device qualifier stalls, because the device has no high speed. */
  #descriptor(type: number, index: number): Uint8Array | undefined {
    const { device, configuration, strings, bos } = this.descriptors;
    if (type === 3) return strings[index];
    if (index !== 0) return undefined;
    return { 1: device, 2: configuration, 15: bos }[type];
  }

  #hidDescriptor(type: number, index: number): Uint8Array | undefined {
    const { hid, hidReport } = this.descriptors;
    return index === HID_INTERFACE ? { 33: hid, 34: hidReport }[type] : undefined;
  }

  #configure(value: number): Uint8Array | undefined {
    if (value > 1) return undefined;
    this.#configuration = value;
    this.host.configured();
    return DONE;
  }

  #setReport(type: number, index: number, data: Uint8Array): Uint8Array | undefined {
    if (type !== OUTPUT_REPORT || index !== HID_INTERFACE || data.length !== REPORT_LENGTH) return undefined;
    this.host.report(data);
    return DONE;
  }
}
