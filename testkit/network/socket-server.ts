import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server for raw bytes on the loopback interface. It closes its connections when it stops. */
export abstract class SocketServer {
  readonly ip = '127.0.0.1';
  port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer(socket => {
    this.keep(socket);
    this.serve(socket);
  });

  protected abstract serve(socket: Socket): void;

  async listen(): Promise<this> {
    this.#server.listen(0, this.ip);
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
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

  /** Makes the server close this connection when it stops. */
  protected keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
  }
}
