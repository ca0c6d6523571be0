import { connect, type Socket } from 'node:net';
import { HEAD_END, readRequests } from '../../../testkit/gateway/request-framing.js';
import { SocketServer } from '../../../testkit/network/socket-server.js';

/**
 * How a request is treated: `none` passes it on to the node, `reset` resets its connection, `silence` never
 * answers it, and with `down` no connection is possible.
 */
export type Fault = 'none' | 'reset' | 'silence' | 'down';

/**
 * A proxy between gateways and one node. It records the requests to the node. It passes health checks on
 * without recording them, unless the fault is `down`.
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

  /** Returns method and target of each request since the last call. */
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
