import { createConnection, type Socket } from 'node:net';
import type { ZbcSignerError } from '@zbc-signer/chain';
import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { invalidReplyError, TransportError } from '../../../errors.js';
import { connectionError } from '../connection-error.js';

const LENGTH_BYTES = 4;
const STATUS_BYTES = 2;

interface Waiter {
  resolve(reply: Uint8Array): void;
  reject(error: ZbcSignerError): void;
}

/** One TCP connection, usable until its first failure. */
export class TcpLink {
  readonly #socket: Socket;
  readonly #place: string;
  #unread = Buffer.alloc(0);
  #waiter: Waiter | undefined;
  #failed = false;

  constructor(host: string, port: number) {
    this.#place = `${host}:${port}`;
    this.#socket = createConnection({ host, port, noDelay: true });
    this.#socket.on('data', chunk => this.#read(chunk));
    this.#socket.on('error', cause => this.#fail(connectionError(this.#place, cause)));
    this.#socket.on('close', () => this.#fail(closedError(this.#place)));
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** Sends `length u32be, APDU`. The caller must wait for the reply before the next command. */
  exchange(apdu: Uint8Array): Promise<Uint8Array> {
    const frame = Buffer.alloc(LENGTH_BYTES + apdu.length);
    frame.writeUInt32BE(apdu.length);
    frame.set(apdu, LENGTH_BYTES);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.#socket.write(frame);
    });
  }

  close(): void {
    this.#fail(new TransportError('TRANSPORT_FAILED', 'the connection was closed by this program'));
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    if (this.#waiter === undefined) {
      this.#fail(invalidReplyError(`unexpected bytes from ${this.#place}`));
    } else if (this.#unread.length >= LENGTH_BYTES) {
      this.#takeReply(LENGTH_BYTES + this.#unread.readUInt32BE() + STATUS_BYTES);
    }
  }

  #takeReply(end: number): void {
    if (end > LENGTH_BYTES + MAX_APDU || this.#unread.length > end) {
      this.#fail(invalidReplyError(`${this.#place} sent more bytes than a reply can have`));
    } else if (this.#unread.length === end) {
      const reply = Uint8Array.from(this.#unread.subarray(LENGTH_BYTES));
      const waiter = this.#waiter;
      this.#unread = Buffer.alloc(0);
      this.#waiter = undefined;
      waiter?.resolve(reply);
    }
  }

  #fail(error: ZbcSignerError): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#failed = true;
    this.#socket.destroy();
    waiter?.reject(error);
  }
}

function closedError(place: string): TransportError {
  return new TransportError('DEVICE_DISCONNECTED', `${place} closed the connection before the reply`);
}
