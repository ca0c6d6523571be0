import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import {
  COMMAND_LENGTH,
  COMMAND_SUBMIT,
  formatSubmitReply,
  parseCommand,
} from '#emulator/usb/usbip-messages.js';

const IMPORT_REQUEST_LENGTH = 40;
const IMPORT_REPLY_LENGTH = 320;
const REPLY_SUBMIT = formatSubmitReply(0, 0, 0).readUInt32BE(0);
const REPORT_LENGTH = 64;
/** Number of payload bytes in the first report of a reply. */
const FIRST_CAPACITY = 57;

/**
 * Splits a stream into messages. The first message has a given length. `measure` returns the length of each
 * later message.
 */
class Messages {
  #unread = Buffer.alloc(0);

  constructor(
    private firstLength: number,
    private readonly measure: (header: Buffer) => number,
  ) {}

  *read(chunk: Buffer): Generator<Buffer> {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    for (;;) {
      const header = this.firstLength > 0 ? this.firstLength : COMMAND_LENGTH;
      if (this.#unread.length < header) return;
      const length = this.firstLength > 0 ? header : this.measure(this.#unread);
      if (this.#unread.length < length) return;
      this.firstLength = 0;
      yield this.#unread.subarray(0, length);
      this.#unread = this.#unread.subarray(length);
    }
  }
}

/**
 * A relay between a kernel and a USB/IP server. It forwards everything until it receives an HTTP request,
 * which makes it hold the next reply that has several reports. It forwards the first report of this reply,
 * and then nothing until the device is unplugged. The HTTP response starts when the relay is ready to hold a
 * reply, and ends after the first report.
 */
export class HoldingRelay {
  #holding: (() => void) | undefined;

  private constructor(
    private readonly target: number,
    private readonly server: Server,
    private readonly control: HttpServer,
  ) {
    server.on('connection', kernel => this.#join(kernel));
    control.on('request', (_request, response) => {
      this.#holding = () => response.end();
      response.flushHeaders();
    });
  }

  static async start(target: number): Promise<HoldingRelay> {
    const relay = new HoldingRelay(target, createServer({ noDelay: true }), createHttpServer());
    for (const server of [relay.server, relay.control]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get controlPort(): number {
    return (this.control.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.control.closeAllConnections();
    await Promise.all([this.server, this.control].map(server => new Promise(done => server.close(done))));
  }

  #join(kernel: Socket): void {
    const device = connect({ port: this.target, noDelay: true });
    const inward = new Set<number>();
    let isHeld = false;
    const commands = new Messages(IMPORT_REQUEST_LENGTH, header => {
      const { isIn, length } = parseCommand(header);
      return COMMAND_LENGTH + (isSubmit(header) && !isIn ? length : 0);
    });
    const replies = new Messages(IMPORT_REPLY_LENGTH, header => {
      const carries = header.readUInt32BE(0) === REPLY_SUBMIT && inward.has(header.readUInt32BE(4));
      return COMMAND_LENGTH + (carries ? header.readUInt32BE(24) : 0);
    });
    let isFirst = true;
    kernel.on('data', chunk => {
      for (const message of commands.read(chunk as Buffer)) {
        if (!isFirst && isSubmit(message) && parseCommand(message).isIn) inward.add(message.readUInt32BE(4));
        isFirst = false;
        device.write(message);
      }
    });
    device.on('data', chunk => {
      for (const message of replies.read(chunk as Buffer)) {
        const report = message.subarray(COMMAND_LENGTH);
        if (isHeld && report.length === REPORT_LENGTH) continue;
        kernel.write(message);
        if (this.#holding === undefined || !startsLongReply(report)) continue;
        isHeld = true;
        this.#holding();
        this.#holding = undefined;
      }
    });
    for (const [one, other] of [
      [kernel, device],
      [device, kernel],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  }
}

function isSubmit(header: Buffer): boolean {
  return header.readUInt32BE(0) === COMMAND_SUBMIT;
}

/** Returns whether a report is the first one of a reply that has several reports (docs/APDU.md#hid). */
function startsLongReply(report: Buffer): boolean {
  return (
    report.length === REPORT_LENGTH &&
    report[2] === 0x05 &&
    report.readUInt16BE(3) === 0 &&
    report.readUInt16BE(5) > FIRST_CAPACITY
  );
}
