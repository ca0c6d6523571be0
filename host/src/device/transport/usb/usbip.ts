import { createConnection, type Socket } from 'node:net';
import { TransportError } from '../../../errors.js';
import { connectionError } from '../connection-error.js';
import type { ReportDevice } from '../report-device.js';
import { REPORT_LENGTH } from '../report-framing.js';
import { ReportTransport } from '../report-transport.js';
import { type TcpAddress, tcpPlace } from '../serial/tcp.js';
import { wrongInterfaceError } from './device-selection.js';

// USB/IP 1.1.1, as the documentation of the kernel describes it. Integers are big-endian.
const IMPORT = Buffer.concat([Buffer.from('0111800300000000', 'hex'), Buffer.from('1-1')], 40);
const IMPORTED = 0x01110003;
const OPERATION_LENGTH = 8;
const OFFERED_LENGTH = 312;
/** Offset of the bus number, which the device number follows. */
const BUS_AT = 288;
const HEADER_LENGTH = 48;
const SUBMIT = 1;
const ATTACH_MS = 60_000;
/** A simulator is slower than a device. */
const TIMES = { probeMs: 5000, lostMs: 30_000 };

// Setup packets and descriptors of USB 2.0.
const GET_CONFIGURATION = Buffer.from('800600020000ff00', 'hex');
const SET_CONFIGURATION_1 = Buffer.from('0009010000000000', 'hex');
const NO_SETUP = Buffer.alloc(8);
const DESCRIPTOR_LENGTH = 255;
const INTERFACE = 4;
const ENDPOINT = 5;
const VENDOR_CLASS = 0xff;
const IN_FLAG = 0x80;

/**
 * A signer that a USB/IP server offers as its device 1-1, such as a simulated Pico. It needs no kernel module
 * and no right, unlike `usbip attach`. The device is plugged in at the first exchange, and unplugged by
 * `close`.
 */
export class UsbipTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` if the address has no valid port. */
  constructor(address: TcpAddress) {
    const { host, port } = tcpPlace(address);
    super(() => new UsbipDevice(host, port).attach(`${host}:${port}`), TIMES);
  }
}

/** An open transfer; `end` is called with the data that the device sent, or with an error. */
interface Transfer {
  isIn: boolean;
  end(result: Uint8Array | Error): void;
}

class UsbipDevice implements ReportDevice {
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Buffer>;
  #unread: Uint8Array = new Uint8Array(0);
  /** Bus number and device number, 16 bits each. */
  #device = 0;
  #sequence = 0;
  readonly #transfers = new Map<number, Transfer>();
  #in = 0;
  #out = 0;

  constructor(host: string, port: number) {
    this.#socket = createConnection({ host, port, noDelay: true });
    this.#chunks = this.#socket[Symbol.asyncIterator]();
  }

  /** Imports the device and configures it; rejects with TransportError. */
  async attach(place: string): Promise<this> {
    const late = setTimeout(() => this.#socket.destroy(), ATTACH_MS);
    try {
      this.#socket.write(IMPORT);
      const operation = await this.#take(OPERATION_LENGTH);
      if (operation.readUInt32BE(0) !== IMPORTED || operation.readUInt32BE(4) !== 0) {
        const hint = 'Another program may have attached it.';
        throw new TransportError('DEVICE_NOT_FOUND', `${place} offers no USB device 1-1`, { hint });
      }
      const offered = await this.#take(OFFERED_LENGTH);
      this.#device = ((offered.readUInt32BE(BUS_AT) << 16) | offered.readUInt32BE(BUS_AT + 4)) >>> 0;
      void this.#readReplies();
      await this.#transfer(0, DESCRIPTOR_LENGTH, GET_CONFIGURATION).then(bytes => this.#choose(bytes));
      await this.#transfer(0, new Uint8Array(0), SET_CONFIGURATION_1);
      if (this.#in === 0 || this.#out === 0) throw wrongInterfaceError(place, 'USB interface');
      return this;
    } catch (cause) {
      this.#socket.destroy();
      throw cause instanceof TransportError ? cause : connectionError(place, cause);
    } finally {
      clearTimeout(late);
    }
  }

  async write(reports: readonly Uint8Array[]): Promise<void> {
    for (const report of reports) await this.#transfer(this.#out, report);
  }

  listen(onReport: (report: Uint8Array) => void, onLost: (cause: unknown) => void): void {
    const read = (): Promise<void> =>
      this.#transfer(this.#in, REPORT_LENGTH).then(report => {
        onReport(report);
        return read();
      });
    read().catch(onLost);
  }

  async close(): Promise<void> {
    this.#socket.destroy();
  }

  /** Finds the endpoints of the interface with the vendor class. */
  #choose(descriptors: Uint8Array): void {
    let isVendor = false;
    for (let at = 0; at + 2 < descriptors.length; at += descriptors[at] || descriptors.length) {
      const [, type, address = 0] = descriptors.subarray(at);
      if (type === INTERFACE) isVendor = descriptors[at + 5] === VENDOR_CLASS;
      if (type !== ENDPOINT || !isVendor) continue;
      if (address & IN_FLAG) this.#in = address & ~IN_FLAG;
      else this.#out = address;
    }
  }

  /** Sends the bytes to an endpoint, or requests that many bytes from it. */
  #transfer(endpoint: number, data: Uint8Array | number, setup = NO_SETUP): Promise<Uint8Array> {
    const isIn = typeof data === 'number';
    const sequence = ++this.#sequence;
    const header = Buffer.alloc(HEADER_LENGTH);
    [SUBMIT, sequence, this.#device, Number(isIn), endpoint, 0, isIn ? data : data.length].forEach(
      (field, at) => {
        header.writeUInt32BE(field, 4 * at);
      },
    );
    header.set(setup, HEADER_LENGTH - setup.length);
    return new Promise((resolve, reject) => {
      const end = (result: Uint8Array | Error) =>
        result instanceof Error ? reject(result) : resolve(result);
      if (this.#socket.destroyed) return end(new Error('the connection is closed'));
      this.#transfers.set(sequence, { isIn, end });
      this.#socket.write(isIn ? header : Buffer.concat([header, data]));
    });
  }

  /** Ends the transfers as their replies arrive, and all of them when the connection ends. */
  async #readReplies(): Promise<void> {
    try {
      for (;;) {
        const header = await this.#take(HEADER_LENGTH);
        const [sequence, status, length] = [
          header.readUInt32BE(4),
          header.readInt32BE(20),
          header.readUInt32BE(24),
        ];
        const transfer = this.#transfers.get(sequence);
        if (transfer === undefined || length > DESCRIPTOR_LENGTH) throw new Error('the reply is invalid');
        const data = await this.#take(transfer.isIn ? length : 0);
        this.#transfers.delete(sequence);
        transfer.end(status === 0 ? data : new Error(`the transfer ended with ${status}`));
      }
    } catch (cause) {
      this.#socket.destroy();
      for (const { end } of this.#transfers.values()) end(cause as Error);
    }
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#unread.length < length) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error('the connection is closed');
      this.#unread = Buffer.concat([this.#unread, value]);
    }
    const taken = Buffer.from(this.#unread.subarray(0, length));
    this.#unread = this.#unread.subarray(length);
    return taken;
  }
}
