import { createServer, type Server, type Socket } from 'node:net';
import { parseSetup } from './control-endpoint.js';
import type { UsbDevice } from './usb-device.js';
import {
  BUS_ID,
  BUS_ID_LENGTH,
  COMMAND_LENGTH,
  COMMAND_SUBMIT,
  COMMAND_UNLINK,
  type Command,
  DEVICE_ID,
  formatDeviceList,
  formatImport,
  formatImportRefusal,
  formatSubmitReply,
  formatUnlinkReply,
  type OfferedDevice,
  parseCommand,
  REQUEST_DEVICE_LIST,
  REQUEST_IMPORT,
  REQUEST_LENGTH,
} from './usbip-messages.js';

// Statuses of transfers: the error numbers of Linux, negated.
const STALLED = -32;
const UNLINKED = -104;
/** More than any transfer to this device needs. A larger transfer ends the connection. */
const MAX_TRANSFER = 4096;
/** More transfers than a kernel has open at a time. */
const MAX_PENDING = 256;
/** A host with more unread bytes is disconnected. */
const MAX_UNREAD = 1 << 20;

/** What the server needs of a device: its descriptors and transfers. */
export type UsbipDevice = Pick<UsbDevice, 'control' | 'out' | 'in' | 'reset'> & {
  readonly descriptors: OfferedDevice;
};

/** The attached host; only one host may be attached. */
interface Attachment {
  owner: UsbipConnection | undefined;
}

/** The connection of a host: it requests the list or imports the device, and then makes transfers. */
class UsbipConnection {
  #unread = Buffer.alloc(0);
  #isAttached = false;
  /** Functions that withdraw pending transfers, by sequence number. */
  readonly #pending = new Map<number, () => boolean>();

  constructor(
    private readonly socket: Socket,
    private readonly device: UsbipDevice,
    private readonly attachment: Attachment,
  ) {
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#release());
  }

  close(): void {
    this.socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    while (!this.socket.destroyed) {
      const length = this.#isAttached ? this.#takeCommand() : this.#takeRequest();
      if (length === 0) return;
      this.#unread = this.#unread.subarray(length);
    }
  }

  /** Returns the number of consumed bytes, or 0 if more bytes are needed. */
  #takeRequest(): number {
    if (this.#unread.length < REQUEST_LENGTH) return 0;
    const code = this.#unread.readUInt16BE(2);
    if (code === REQUEST_DEVICE_LIST) {
      this.socket.end(formatDeviceList(this.device.descriptors));
      return this.#unread.length;
    }
    if (code === REQUEST_IMPORT) return this.#takeImport();
    this.socket.destroy();
    return 0;
  }

  #takeImport(): number {
    const length = REQUEST_LENGTH + BUS_ID_LENGTH;
    if (this.#unread.length < length) return 0;
    const [busId] = this.#unread.toString('latin1', REQUEST_LENGTH, length).split('\0');
    if (busId !== BUS_ID || this.attachment.owner !== undefined) {
      this.socket.end(formatImportRefusal());
      return this.#unread.length;
    }
    this.attachment.owner = this;
    this.#isAttached = true;
    this.device.reset();
    this.socket.write(formatImport(this.device.descriptors));
    return length;
  }

  #takeCommand(): number {
    if (this.#unread.length < COMMAND_LENGTH) return 0;
    const command = parseCommand(this.#unread);
    if (command.command === COMMAND_UNLINK) {
      this.#unlink(command);
      return COMMAND_LENGTH;
    }
    if (command.command !== COMMAND_SUBMIT || command.device !== DEVICE_ID || command.length > MAX_TRANSFER) {
      this.socket.destroy();
      return 0;
    }
    const length = COMMAND_LENGTH + (command.isIn ? 0 : command.length);
    if (this.#unread.length < length) return 0;
    this.#submit(command, Uint8Array.from(this.#unread.subarray(COMMAND_LENGTH, length)));
    return length;
  }

  #submit(command: Command, data: Uint8Array): void {
    if (command.endpoint === 0) this.#control(command, data);
    else if (command.isIn) this.#in(command);
    else this.#out(command, data);
  }

  #control({ sequence, setup, isIn, length }: Command, data: Uint8Array): void {
    const answer = this.device.control(parseSetup(setup), data);
    if (answer === undefined) this.#end(sequence, STALLED, 0);
    else if (isIn) this.#deliver(sequence, answer.subarray(0, length));
    else this.#end(sequence, 0, data.length);
  }

  #in({ sequence, endpoint, length }: Command): void {
    this.#hold(sequence, done =>
      this.device.in(endpoint, report => {
        done();
        this.#deliver(sequence, report.subarray(0, length));
      }),
    );
  }

  #out({ sequence, endpoint }: Command, data: Uint8Array): void {
    this.#hold(sequence, done =>
      this.device.out(endpoint, data, () => {
        done();
        this.#end(sequence, 0, data.length);
      }),
    );
  }

  /**
   * Starts a transfer, and keeps the function that withdraws it until the transfer calls `done`. It may call
   * `done` before `start` returns.
   */
  #hold(sequence: number, start: (done: () => void) => (() => boolean) | undefined): void {
    let isDone = false;
    const withdraw = start(() => {
      isDone = true;
      this.#pending.delete(sequence);
    });
    if (withdraw === undefined) this.#end(sequence, STALLED, 0);
    else if (!isDone) this.#pending.set(sequence, withdraw);
    if (this.#pending.size > MAX_PENDING) this.socket.destroy();
  }

  /** Withdraws a transfer, which is then never answered itself. */
  #unlink({ sequence, unlinked }: Command): void {
    const withdraw = this.#pending.get(unlinked);
    this.#pending.delete(unlinked);
    this.#write(formatUnlinkReply(sequence, withdraw?.() ? UNLINKED : 0));
  }

  #deliver(sequence: number, data: Uint8Array): void {
    this.#write(formatSubmitReply(sequence, 0, data.length, data));
  }

  #end(sequence: number, status: number, length: number): void {
    this.#write(formatSubmitReply(sequence, status, length));
  }

  #write(message: Buffer): void {
    if (this.socket.destroyed) return;
    this.socket.write(message);
    if (this.socket.writableLength > MAX_UNREAD) this.socket.destroy();
  }

  #release(): void {
    this.#pending.clear();
    if (this.attachment.owner !== this) return;
    this.attachment.owner = undefined;
    this.device.reset();
  }
}

/** A USB/IP server. */
export type UsbipServer = Server & {
  /** Closes all connections, which unplugs the device from every machine. */
  closeSockets(): void;
};

/**
 * Offers a device over USB/IP 1.1.1, with bus id 1-1: `usbip attach` connects it to a Linux machine. A second
 * import is refused. USB/IP has no authentication, so listen on the loopback interface.
 */
export function createUsbipServer(device: UsbipDevice): UsbipServer {
  const attachment: Attachment = { owner: undefined };
  const connections = new Set<UsbipConnection>();
  const server = createServer(socket => {
    const connection = new UsbipConnection(socket, device, attachment);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  return Object.assign(server, {
    closeSockets() {
      for (const connection of connections) connection.close();
    },
  });
}
