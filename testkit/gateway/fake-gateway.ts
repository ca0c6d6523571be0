import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * An answer: a status and a raw body, or a failure of the connection after the request. `reset` resets the
 * connection after half of an answer. `drip` sends an answer that never ends. `garbage` sends bytes that are
 * not HTTP.
 */
export type FakeAnswer =
  | { status: number; body: string; headers?: Record<string, string> }
  | 'drop'
  | 'silence'
  | 'reset'
  | 'drip'
  | 'garbage';

interface FakeRequest {
  method: string;
  /** Host name of a node, `ip-….localhost`; empty for a request to the gateway itself. */
  host: string;
  path: string;
  body: string;
}

/** Returns an answer with a raw body. Tests write its JSON by hand, so that they control every digit. */
export function answer(body: string, status = 200): FakeAnswer {
  return { status, body };
}

const HALF_AN_ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
const DRIP_MS = 10;

const FAULTS: Readonly<Record<Extract<FakeAnswer, string>, (socket: Socket) => void>> = {
  drop: socket => socket.destroy(),
  silence: () => undefined,
  reset: socket => socket.write(HALF_AN_ANSWER, () => socket.resetAndDestroy()),
  drip: socket => {
    socket.write(HALF_AN_ANSWER);
    const timer = setInterval(() => socket.write(' '), DRIP_MS);
    socket.once('close', () => clearInterval(timer));
  },
  garbage: socket => socket.end('SSH-2.0-OpenSSH\r\n\r\n'),
};

/**
 * An HTTP server on a free port. Each route has a list of answers, which are sent in order; the last one is
 * repeated. A route is `GET /path` without the query, or `GET ip-….localhost/path` with the host name of a
 * node. Any other route is answered with 404 and a body.
 */
export class FakeGateway {
  readonly requests: FakeRequest[] = [];
  readonly #routes = new Map<string, FakeAnswer[]>();
  readonly #server: Server = createServer((request, response) => {
    void readAll(request).then(body => {
      const { method = '', url: path = '' } = request;
      const asked = {
        method,
        host: nodeHost(request),
        path,
        body,
      };
      this.requests.push(asked);
      const reply = this.#next(routeOf(asked));
      if (typeof reply === 'string') {
        FAULTS[reply](request.socket);
        return;
      }
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body);
    });
  });

  on(route: string, ...answers: FakeAnswer[]): this {
    this.#routes.set(route, answers);
    return this;
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** The routes of all requests in order, without queries, such as `POST /api/v1/transactions`. */
  get routes(): string[] {
    return this.requests.map(routeOf);
  }

  #next(route: string): FakeAnswer {
    const answers = this.#routes.get(route) ?? [
      answer('{"success":false,"error":"not found","code":404}', 404),
    ];
    return answers.length > 1 ? answers.shift()! : answers[0]!;
  }
}

function nodeHost({ headers }: IncomingMessage): string {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return name.startsWith('ip-') ? name : '';
}

function routeOf({ method, host, path }: FakeRequest): string {
  return `${method} ${host}${path.split('?')[0]}`;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
