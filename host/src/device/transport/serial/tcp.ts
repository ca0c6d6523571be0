import { createConnection } from 'node:net';
import { SocketTransport, type TcpAddress } from './socket-transport.js';

/** A SocketTransport that uses the sockets of Node. */
export class TcpTransport extends SocketTransport {
  /** Throws `INVALID_INPUT` if the address has no valid port. */
  constructor(address: TcpAddress) {
    super(createConnection, address);
  }
}
