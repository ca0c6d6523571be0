import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type SessionTimes, serveHttp2 } from '#gateway/http/h2/sessions.js';
import { refuseClient } from '#gateway/http/http-server.js';
import { loadCertificate } from '#gateway/http/tls.js';

const DEFAULT_TIMES = { firstMs: 60_000, idleMs: 60_000, pingMs: 60_000 };

/** A server of HTTPS with HTTP/2 and nothing else of the gateway. */
export class Http2Server {
  /** Heads of requests with their bodies, once these are whole. */
  readonly received: { url: string; method: string; body: string; headers: string[] }[] = [];
  running = 0;
  answer: RequestListener = (_request, response) => response.end('hello');

  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {}

  static async open(times: Partial<SessionTimes> = {}): Promise<Http2Server> {
    const certificate = await loadCertificate({ gatewayHost: 'gateway.test', tls: { selfSigned: true } });
    const ALPNProtocols = ['h2', 'http/1.1'];
    const server = createServer({ ...certificate, ALPNProtocols, connectionsCheckingInterval: 50 });
    server.on('clientError', refuseClient);
    const [serve] = server.listeners('secureConnection');
    serveHttp2(server, connection => serve!.call(server, connection), { ...DEFAULT_TIMES, ...times });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const opened = new Http2Server(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => void opened.#handle(request, response));
    return opened;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.running += 1;
    response.on('close', () => {
      this.running -= 1;
    });
    const pieces: Buffer[] = await request.toArray().catch(() => []);
    if (!request.complete) return;
    const { url = '', method = '', rawHeaders: headers } = request;
    this.received.push({ url, method, body: Buffer.concat(pieces).toString('latin1'), headers });
    this.answer(request, response);
  }
}
