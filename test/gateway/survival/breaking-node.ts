import type { Socket } from 'node:net';
import { GENESIS } from '../../../testkit/gateway/recording-node.js';
import { SocketServer } from '../../../testkit/network/socket-server.js';

const INFO = JSON.stringify({ genesis_hash: GENESIS, height: 7 });

/** Writes a response to the connection, as the test wants it. */
export type Behaviour = (socket: Socket) => void;

/** A node that answers health checks, and handles other requests as the test specifies. */
export class BreakingNode extends SocketServer {
  readonly role: 'full' | 'archival';
  behaviour: Behaviour = socket => void socket.resetAndDestroy();

  constructor(role: 'full' | 'archival') {
    super();
    this.role = role;
  }

  static start(role: 'full' | 'archival'): Promise<BreakingNode> {
    return new BreakingNode(role).listen();
  }

  protected serve(socket: Socket): void {
    socket.on('data', request => {
      if (/^get \/api\/v1\/node\/info (?!.*\r\nvia:)/is.test(request.toString('latin1'))) {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${INFO.length}\r\n\r\n${INFO}`);
      } else {
        this.behaviour(socket);
      }
    });
  }
}
