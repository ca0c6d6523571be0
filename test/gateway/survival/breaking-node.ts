import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { GENESIS } from '../../../testkit/gateway/recording-node.js';

const INFO = JSON.stringify({ genesis_hash: GENESIS, height: 7 });

/** Writes the test's version of a response to the connection. */
export type Behaviour = (socket: Socket) => void;

/** A node that answers health checks, and behaves to other requests as a test says. */
export class BreakingNode {
  readonly ip = '127.0.0.1';
  readonly role: 'full' | 'archival';
  port = 0;
  behaviour: Behaviour = socket => void socket.resetAndDestroy();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(role: 'full' | 'archival') {
    this.role = role;
    this.#server = createServer(socket => this.#serve(socket));
  }

  static async start(role: 'full' | 'archival'): Promise<BreakingNode> {
    const node = new BreakingNode(role);
    node.#server.listen(0, node.ip);
    await once(node.#server, 'listening');
    node.port = (node.#server.address() as AddressInfo).port;
    return node;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
    socket.on('data', request => {
      if (/^get \/api\/v1\/node\/info (?!.*\r\nvia:)/is.test(request.toString('latin1'))) {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${INFO.length}\r\n\r\n${INFO}`);
      } else {
        this.behaviour(socket);
      }
    });
  }
}
