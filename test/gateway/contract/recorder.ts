import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { HEAD_END, wholeLength } from '../../../testkit/gateway/request-framing.js';

/**
 * What becomes of a request: it goes on to the node; its connection is reset; nothing answers it; no
 * connection is made at all.
 */
export type Fault = 'none' | 'reset' | 'silence' | 'down';

/**
 * Stands between a gateway and one node and keeps what the node is asked, apart from health checks, which go
 * on as long as it is not down.
 */
export class Recorder {
  fault: Fault = 'none';
  readonly #asked: string[] = [];
  readonly #nodePort: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(nodePort: number) {
    this.#nodePort = nodePort;
    this.#server = createServer(socket => this.#serve(socket));
  }

  static async start(nodePort: number): Promise<Recorder> {
    const recorder = new Recorder(nodePort);
    recorder.#server.listen(0, '127.0.0.1');
    await once(recorder.#server, 'listening');
    return recorder;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Method and target of each request since the last call. */
  take(): string[] {
    return this.#asked.splice(0);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(socket: Socket): void {
    if (this.fault === 'down') {
      socket.resetAndDestroy();
      return;
    }
    const node = connect({ host: '127.0.0.1', port: this.#nodePort });
    for (const end of [socket, node]) {
      this.#sockets.add(end);
      end.on('error', () => {}).on('close', () => this.#sockets.delete(end));
    }
    node.pipe(socket);
    socket.on('close', () => node.destroy());
    let pending = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      pending += piece;
      for (let length = wholeLength(pending); length !== undefined; length = wholeLength(pending)) {
        this.#pass(pending.slice(0, length), socket, node);
        pending = pending.slice(length);
      }
    });
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
