import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type { NodeRole } from '#gateway/base/node-address.js';
import { HEAD_END, wholeLength } from '../../../testkit/gateway/request-framing.js';

const GENESIS = 'a1'.repeat(32);
const INFO = JSON.stringify({ genesis_hash: GENESIS, height: 7 });
const ANSWER = '{"from":"a node"}';

/**
 * A node that keeps every byte it receives, request by request as RFC 9112 frames them. It answers all alike,
 * and health checks apart from the rest.
 */
export class RawNode {
  readonly role: NodeRole;
  port = 0;
  /** Whole requests, byte for byte; a piece that is no whole request stays at the end. */
  received: string[] = [];
  /** Of any kind, health checks too. */
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(role: NodeRole) {
    this.role = role;
    this.#server = createServer(socket => this.#serve(socket));
  }

  static async start(role: NodeRole): Promise<RawNode> {
    const node = new RawNode(role);
    node.#server.listen(0, '127.0.0.1');
    await once(node.#server, 'listening');
    node.port = (node.#server.address() as AddressInfo).port;
    return node;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** What was received since the last call. */
  take(): string[] {
    return this.received.splice(0);
  }

  #serve(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
    let pending = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      pending += piece;
      for (let length = wholeLength(pending); length !== undefined; length = wholeLength(pending)) {
        this.#answer(socket, pending.slice(0, length));
        pending = pending.slice(length);
      }
    });
    socket.on('end', () => {
      if (pending !== '') this.received.push(pending);
    });
  }

  #answer(socket: Socket, request: string): void {
    const isCheck = request.startsWith('GET /api/v1/node/info ') && !/^via:/im.test(request);
    if (!isCheck) this.received.push(request);
    const body = isCheck ? INFO : ANSWER;
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}${HEAD_END}${body}`,
    );
  }
}
