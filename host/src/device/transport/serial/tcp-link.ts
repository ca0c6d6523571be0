import { cleanText, type ZbcSignerError } from '@zbc-signer/chain';
import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { invalidReplyError, TransportError } from '../../../errors.js';
import { connectionError } from '../connection-error.js';

const LENGTH_BYTES = 4;
const STATUS_BYTES = 2;

/** The methods of a socket of `react-native-tcp-socket` or `node:net` that this library uses. */
export interface TcpSocket {
  /** Chunks are bytes: they are text only after `setEncoding`, which is never called. */
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
  /** The cause is an Error in Node, and a text in React Native. */
  on(event: 'error', listener: (cause: unknown) => void): unknown;
  /** After an error, `close` follows `error`. */
  on(event: 'close', listener: () => void): unknown;
  /** Disables Nagle's algorithm, so that each command is sent at once. */
  setNoDelay(noDelay: boolean): unknown;
  /** Sends bytes. React Native's `write` throws before `onConnect` is called. */
  write(bytes: Uint8Array): unknown;
  /** Closes the connection. */
  destroy(): unknown;
}

/** `createConnection` of `react-native-tcp-socket` or `node:net`. */
export type CreateConnection = (address: { host: string; port: number }, onConnect: () => void) => TcpSocket;

interface Waiter {
  resolve(reply: Uint8Array): void;
  reject(error: ZbcSignerError): void;
}

/** One TCP connection, usable until its first failure. */
export class TcpLink {
  readonly #socket: TcpSocket;
  readonly #place: string;
  #isConnected = false;
  /** A command that is sent once the connection is established. */
  #unsent: Uint8Array | undefined;
  #unread = new Uint8Array(0);
  #waiter: Waiter | undefined;
  #failed = false;

  constructor(createConnection: CreateConnection, { host, port }: { host: string; port: number }) {
    this.#place = `${host}:${port}`;
    try {
      this.#socket = createConnection({ host, port }, () => this.#begin());
    } catch (cause) {
      const text = `cannot open a socket to ${this.#place}: ${cleanText(`${cause}`)}`;
      throw new TransportError('TRANSPORT_FAILED', text, { cause });
    }
    this.#socket.on('data', chunk => this.#read(chunk as Uint8Array));
    this.#socket.on('error', cause => this.#fail(this.#errorOf(cause)));
    this.#socket.on('close', () => this.#fail(closedError(this.#place)));
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** Sends `length u32be, APDU`. The caller must wait for the reply before the next command. */
  exchange(apdu: Uint8Array): Promise<Uint8Array> {
    const frame = new Uint8Array(LENGTH_BYTES + apdu.length);
    new DataView(frame.buffer).setUint32(0, apdu.length);
    frame.set(apdu, LENGTH_BYTES);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      if (this.#isConnected) this.#socket.write(frame);
      else this.#unsent = frame;
    });
  }

  close(): void {
    this.#fail(new TransportError('TRANSPORT_FAILED', 'the connection was closed by this program'));
  }

  #begin(): void {
    if (this.#failed) return;
    this.#isConnected = true;
    this.#socket.setNoDelay(true);
    if (this.#unsent !== undefined) this.#socket.write(this.#unsent);
    this.#unsent = undefined;
  }

  #read(chunk: Uint8Array): void {
    if (this.#waiter === undefined) {
      this.#fail(invalidReplyError(`unexpected bytes from ${this.#place}`));
      return;
    }
    this.#unread = Uint8Array.from([...this.#unread, ...chunk]);
    if (this.#unread.length >= LENGTH_BYTES) {
      this.#takeReply(LENGTH_BYTES + new DataView(this.#unread.buffer).getUint32(0) + STATUS_BYTES);
    }
  }

  #takeReply(end: number): void {
    if (end > LENGTH_BYTES + MAX_APDU || this.#unread.length > end) {
      this.#fail(invalidReplyError(`${this.#place} sent more bytes than a reply can have`));
    } else if (this.#unread.length === end) {
      const reply = this.#unread.slice(LENGTH_BYTES);
      const waiter = this.#waiter;
      this.#unread = new Uint8Array(0);
      this.#waiter = undefined;
      waiter?.resolve(reply);
    }
  }

  /** React Native's errors have no code, so the text of the error is used as the code. */
  #errorOf(cause: unknown): TransportError {
    if (this.#isConnected || typeof cause !== 'string') return connectionError(this.#place, cause);
    const error = Object.assign(new Error(cause), { code: cleanText(cause), syscall: 'connect' });
    return connectionError(this.#place, error);
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
