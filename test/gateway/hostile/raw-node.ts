import type { Socket } from 'node:net';
import type { NodeRole } from '#gateway/base/node-address.js';
import { HEAD_END, readRequests } from '../../../testkit/gateway/request-framing.js';
import { SocketServer } from '../../../testkit/network/socket-server.js';

const GENESIS = 'a1'.repeat(32);
const INFO = JSON.stringify({ genesis_hash: GENESIS, height: 7 });
const ANSWER = '{"from":"a node"}';

/**
 * A node that records every received byte, split into requests according to RFC 9112. It answers all requests
 * alike, except health checks.
 */
export class RawNode extends SocketServer {
  readonly role: NodeRole;
  /** Complete requests, byte for byte. If the last request is incomplete, it is the last element. */
  received: string[] = [];
  /** Number of connections, including those of health checks. */
  accepted = 0;

  constructor(role: NodeRole) {
    super();
    this.role = role;
  }

  static start(role: NodeRole): Promise<RawNode> {
    return new RawNode(role).listen();
  }

  /** Returns the bytes that were received since the last call. */
  take(): string[] {
    return this.received.splice(0);
  }

  protected serve(socket: Socket): void {
    this.accepted += 1;
    const rest = readRequests(socket, request => this.#answer(socket, request));
    socket.on('end', () => {
      if (rest() !== '') this.received.push(rest());
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
