import { createConnection, type Socket } from 'node:net';
import { invalidInputError, type ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { throwIfAborted, untilAborted } from '../../../cancellation.js';
import { invalidReplyError, TransportError } from '../../../errors.js';
import { connectionError } from '../connection-error.js';
import type { CancelSignal, Transport } from '../transport.js';

const LENGTH_BYTES = 4;
const STATUS_BYTES = 2;
const MAX_PORT = 65_535;

/** The address of an emulator's APDU port or of a serial port server. */
export interface TcpAddress {
  /** Default: 127.0.0.1. */
  host?: string | undefined;
  port: number;
}

interface Waiter {
  resolve(reply: Uint8Array): void;
  reject(error: ZbcSignerError): void;
}

/**
 * A signer or emulator over TCP (docs/APDU.md#tcp). Connects at the first exchange, and again after a failure
 * or an abort, which closes the connection.
 */
export class TcpTransport implements Transport {
  readonly #place: { host: string; port: number };
  #link: TcpLink | undefined;

  /** Throws `INVALID_INPUT` if the address has no valid port. */
  constructor(address: TcpAddress) {
    bindMembers(this);
    this.#place = tcpPlace(address);
  }

  /** Like `Transport.exchange`. */
  async exchange(apdu: Uint8Array, signal?: CancelSignal): Promise<Uint8Array> {
    throwIfAborted(signal);
    if (this.#link === undefined || this.#link.failed) this.#link = new TcpLink(this.#place);
    try {
      return await untilAborted(this.#link.exchange(apdu), signal);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Like `Transport.close`. */
  close(): void {
    this.#link?.close();
    this.#link = undefined;
  }
}

/** Applies the default host; throws `INVALID_INPUT` if the address has no valid port. */
export function tcpPlace(address: TcpAddress): { host: string; port: number } {
  const { host = '127.0.0.1', port } = Object(address) as TcpAddress;
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT || typeof host !== 'string') {
    throw invalidInputError(`an address over TCP must be { host, port }, with a port from 1 to ${MAX_PORT}`);
  }
  return { host, port };
}

/** One TCP connection, usable until its first failure. */
class TcpLink {
  readonly #socket: Socket;
  readonly #place: string;
  #unread = new Uint8Array(0);
  #waiter: Waiter | undefined;
  #failed = false;

  constructor({ host, port }: { host: string; port: number }) {
    this.#place = `${host}:${port}`;
    this.#socket = createConnection({ host, port, noDelay: true });
    this.#socket.on('data', chunk => this.#read(chunk as Uint8Array));
    this.#socket.on('error', cause => this.#fail(connectionError(this.#place, cause)));
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
      this.#socket.write(frame);
    });
  }

  /** Drops a command that still waits for the connection. */
  close(): void {
    this.#fail(new TransportError('TRANSPORT_FAILED', 'the connection was closed by this program'));
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
