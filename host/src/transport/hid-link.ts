import { type SignerError, TransportError } from '../errors.js';
import type { HidDevice } from './hid-device.js';
import { encodeReports, ReplyAssembler } from './hid-framing.js';

const REPORT_ID = 0;
const CHANNELS = 0x10000;

interface Waiter {
  assembler: ReplyAssembler;
  resolve(reply: Uint8Array): void;
  reject(error: SignerError): void;
}

/** One opened device, read continuously from the start: the system keeps few unread reports and drops the rest. */
export class HidLink {
  readonly #device: HidDevice;
  #channel = randomChannel();
  #waiter: Waiter | undefined;
  #written = Promise.resolve();
  #failed = false;

  constructor(device: HidDevice) {
    this.#device = device;
    device.on('data', report => this.#read(report));
    device.on('error', cause => this.#fail(disconnectedError(cause)));
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** The caller sends no second command before the reply. */
  exchange(apdu: Uint8Array): Promise<Uint8Array> {
    const reply = new Promise<Uint8Array>((resolve, reject) => {
      this.#waiter = { assembler: new ReplyAssembler(this.#channel), resolve, reject };
    });
    const reports = encodeReports(this.#channel, apdu);
    // After the reports of a command that was abandoned half written, never between them.
    this.#written = this.#written.then(() => this.#write(reports));
    return reply;
  }

  /** Stops waiting. The next command goes over another channel, so that a late reply to this one is nobody's. */
  abandon(): void {
    this.#waiter = undefined;
    // Any but the one in use.
    this.#channel = (this.#channel + 1 + (randomChannel() % (CHANNELS - 1))) % CHANNELS;
  }

  async close(): Promise<void> {
    this.#fail(new TransportError('TRANSPORT_FAILED', 'the device was closed by this program'));
    await this.#device.close();
  }

  async #write(reports: Uint8Array[]): Promise<void> {
    try {
      for (const report of reports) {
        await this.#device.write([REPORT_ID, ...report]);
      }
    } catch (cause) {
      this.#fail(disconnectedError(cause));
    }
  }

  #read(report: Uint8Array): void {
    try {
      const reply = this.#waiter?.assembler.add(report);
      if (reply !== undefined) {
        const waiter = this.#waiter;
        this.#waiter = undefined;
        waiter?.resolve(reply);
      }
    } catch (error) {
      this.#fail(error as SignerError);
    }
  }

  #fail(error: SignerError): void {
    const waiter = this.#waiter;
    this.#failed = true;
    this.#waiter = undefined;
    waiter?.reject(error);
  }
}

function randomChannel(): number {
  return globalThis.crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
}

function disconnectedError(cause: unknown): TransportError {
  return new TransportError('DEVICE_DISCONNECTED', 'the device was disconnected', {
    cause,
    hint: 'Plug it in again and start over.',
  });
}
