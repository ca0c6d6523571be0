import { connect, type Socket } from 'node:net';
import { HEAD_END, readRequests } from '../../../testkit/gateway/request-framing.js';
import { SocketServer } from '../../../testkit/network/socket-server.js';

/**
 * What becomes of a request: it goes on to the node; its connection is reset; nothing answers it; no
 * connection is made at all.
 */
export type Fault = 'none' | 'reset' | 'silence' | 'down';

/**
 * Stands between a gateway and one node and keeps what the node is asked, apart from health checks, which go
 * on as long as it is not down.
 */
export class Recorder extends SocketServer {
  fault: Fault = 'none';
  readonly #asked: string[] = [];
  readonly #nodePort: number;

  private constructor(nodePort: number) {
    super();
    this.#nodePort = nodePort;
  }

  static start(nodePort: number): Promise<Recorder> {
    return new Recorder(nodePort).listen();
  }

  /** Method and target of each request since the last call. */
  take(): string[] {
    return this.#asked.splice(0);
  }

  protected serve(socket: Socket): void {
    if (this.fault === 'down') {
      socket.resetAndDestroy();
      return;
    }
    const node = connect({ host: '127.0.0.1', port: this.#nodePort });
    this.keep(node);
    node.pipe(socket);
    socket.on('close', () => node.destroy());
    readRequests(socket, request => this.#pass(request, socket, node));
  }

  #pass(request: string, socket: Socket, node: Socket): void {
    const head = request.slice(0, request.indexOf(HEAD_END));
    const isCheck = !/^via:/im.test(head);
    if (!isCheck) this.#asked.push(head.split(' ').slice(0, 2).join(' '));
    if (this.fault === 'down' || (this.fault === 'reset' && !isCheck)) {
      socket.resetAndDestroy();
    } else if (this.fault === 'none' || isCheck) {
      node.write(request, 'latin1');
    }
  }
}
