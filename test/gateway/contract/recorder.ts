import { connect, type Socket } from 'node:net';
import { HEAD_END, readRequests } from '../../../testkit/gateway/request-framing.js';
import { SocketServer } from '../../../testkit/network/socket-server.js';

/**
 * The treatment of a request: it is forwarded to the node; its connection is reset; it is never answered; or
 * no connection is possible.
 */
export type Fault = 'none' | 'reset' | 'silence' | 'down';

/**
 * A proxy between a gateway and one node that records the node's requests, except health checks, which are
 * forwarded unless it is down.
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
