import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeRole } from '#gateway/base/node-address.js';
import { freePort } from '../network/free-port.js';

interface Received {
  method: string;
  path: string;
  /** Headers as received: names and values alternate. */
  rawHeaders: string[];
  headers: IncomingMessage['headers'];
  body: string;
  /** Index of the connection over which the request arrived, counted from 0. */
  connection: number;
}

export type Answer = (request: Received, response: ServerResponse, socket: Socket) => void;

export const GENESIS = 'a1'.repeat(32);
export const OTHER_GENESIS = 'b2'.repeat(32);

/**
 * A node on its own port. It gives the answers of the test, and records all requests except health checks.
 */
export class RecordingNode {
  readonly ip = '127.0.0.1';
  readonly role: NodeRole;
  readonly received: Received[] = [];
  /** Answers every request except health checks. */
  answer: Answer;
  genesisHash = GENESIS;
  /** Answers health checks. Default: the answer of a node of the chain `genesisHash`. */
  answerCheck: Answer | undefined;
  height = 7;
  /** Answers the gateway's reads of a block. Default: an answer without a hash, by which no fork is judged. */
  answerBlock: Answer = json(200, {});
  checks = 0;
  #server: Server | undefined;
  #connections = 0;
  port = 0;

  constructor(role: NodeRole, answer: Answer) {
    this.role = role;
    this.answer = answer;
  }

  static async start(role: NodeRole, answer: Answer = json(200, { from: role })): Promise<RecordingNode> {
    const node = new RecordingNode(role, answer);
    await node.listen();
    return node;
  }

  async listen(): Promise<void> {
    const numbers = new WeakMap<Socket, number>();
    this.#server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray().catch(() => [])).toString('latin1');
      const { method = '', url = '', rawHeaders, headers, socket } = request;
      const connection = numbers.get(socket)!;
      const received = { method, path: url, rawHeaders, headers, body, connection };
      if (url.startsWith('/api/v1/blocks/') && headers.via === undefined) {
        this.answerBlock(received, response, socket);
      } else if (url === '/api/v1/node/info' && headers.via === undefined) {
        this.checks += 1;
        (this.answerCheck ?? json(200, { genesis_hash: this.genesisHash, height: this.height }))(
          received,
          response,
          socket,
        );
      } else {
        this.received.push(received);
        this.answer(received, response, socket);
      }
    });
    this.#server.on('connection', socket => numbers.set(socket, this.#connections++));
    this.port ||= await freePort();
    this.#server.listen(this.port, this.ip);
    await once(this.#server, 'listening');
  }

  /** Closes all connections and stops listening. `listen` starts the node again on the same port. */
  async stop(): Promise<void> {
    const closed = once(this.#server!, 'close');
    this.#server!.close();
    this.#server!.closeAllConnections();
    await closed;
  }

  get asked(): string[] {
    return this.received.map(({ method, path }) => `${method} ${path}`);
  }
}

export function json(status: number, document: unknown, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    const body = JSON.stringify(document);
    const length = Buffer.byteLength(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
    response.end(body);
  };
}

export function empty(status: number): Answer {
  return (_request, response) => void response.writeHead(status, { 'content-length': 0 }).end();
}

/** Returns an answer that sends raw bytes and then closes the connection. */
export function bytes(text: string): Answer {
  return (_request, _response, socket) => void socket.end(text, 'latin1');
}

export const reset: Answer = (_request, _response, socket) => void socket.resetAndDestroy();
export const silence: Answer = () => {};
