import { invalidInputError } from '@zbc-signer/chain';
import { throwIfAborted, untilAborted } from '../../../cancellation.js';
import type { Cancellation, Transport } from '../transport.js';
import { type CreateConnection, TcpLink } from './tcp-link.js';

const MAX_PORT = 65_535;

/** The address of an emulator's APDU port or of a serial port server. */
export interface TcpAddress {
  /** Default: 127.0.0.1. */
  host?: string | undefined;
  port: number;
}

/**
 * A signer or emulator over TCP (docs/APDU.md#tcp), through sockets that the caller provides. Connects at the
 * first exchange, and again after a failure or an abort, which closes the connection.
 */
export class SocketTransport implements Transport {
  readonly #connect: () => TcpLink;
  #link: TcpLink | undefined;

  /** Throws `INVALID_INPUT` if the address has no valid port. */
  constructor(createConnection: CreateConnection, address: TcpAddress) {
    const place = tcpPlace(address);
    this.#connect = () => new TcpLink(createConnection, place);
  }

  /** Like `Transport.exchange`. */
  async exchange(apdu: Uint8Array, signal?: Cancellation): Promise<Uint8Array> {
    throwIfAborted(signal);
    if (this.#link === undefined || this.#link.failed) this.#link = this.#connect();
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
