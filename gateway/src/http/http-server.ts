import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { type ConnectionLimits, limitConnections } from './connections.js';
import { errorReply, refuseRequest } from './error-reply.js';
import type { Exchange } from './exchange.js';
import { serveHttp2 } from './h2/sessions.js';
import { HANDSHAKE_MS, watchHandshakes } from './handshakes.js';
import { servePlain } from './plain/serve-plain.js';

const REQUEST_MS = 10_000;
const HEAD_MS = 10_000;
/** Interval of Node's check for requests past their timeout. */
const CHECK_MS = 1000;
export const MAX_HEAD_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
const PLAIN_TIMES = { firstMs: HEAD_MS, keepAliveMs: KEEP_ALIVE_MS };
const SESSION_TIMES = { firstMs: HEAD_MS, idleMs: KEEP_ALIVE_MS, pingMs: 5000 };
/** Requests that one connection may send before the first of them is answered. */
const MAX_PIPELINED = 64;
/** Statuses of parser errors; any other is 400. */
const PARSER_STATUS = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
]);

const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: HEAD_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // The request checks reject a request without a Host, with an error body.
  requireHostHeader: false,
  insecureHTTPParser: false,
};

/** The responses of a connection that have not finished, the first to send first. */
const unfinished = new WeakMap<Socket, ServerResponse[]>();
/** Responses after which their connection is closed, as what follows is no HTTP. */
const closing = new WeakSet<ServerResponse>();

/**
 * Handles the requests of one connection one after another. Node would hand over all pipelined requests at
 * once; what follows a reply that closes the connection is ignored (RFC 9112 §9.6), as it may be part of the
 * rejected request.
 */
function inTurn(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const queue = unfinished.get(socket) ?? [];
    const before = queue.at(-1);
    if (queue.length === MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    unfinished.set(socket, queue);
    queue.push(response);
    response.on('finish', () => queue.shift());
    // By the time a reply that closes the connection has finished, Node has ended its socket.
    if (before !== undefined) {
      before.on('finish', () => {
        if (socket.writable) handle(request, response);
      });
    } else if (socket.writable) {
      handle(request, response);
    }
  };
}

/**
 * The status that refuses a request before anything else looks at it: Node's parser takes versions that it
 * does not speak, a line without one among them, and chunks in HTTP/1.0, whose end is unsure (RFC 9112 §6.1).
 */
function refusalOf({ httpVersion, headers }: IncomingMessage): 400 | 505 | undefined {
  if (httpVersion === '1.1') return undefined;
  if (httpVersion !== '1.0') return 505;
  return headers['transfer-encoding'] === undefined ? undefined : 400;
}

interface HttpServerOptions {
  /** Asked first for what `servePlain` reads. */
  answerPlain?: (exchange: Exchange) => boolean;
  /** A connection without any transfer for this long is closed. */
  idleMs: number;
  connections: ConnectionLimits;
  tls?: TlsServerOptions | undefined;
  /** Whether clients may choose HTTP/2, if there is `tls`. */
  http2?: boolean;
}

/** What a client may choose from in its TLS handshake, the best first. */
const alpn = (http2: boolean) => ({ ALPNProtocols: [...(http2 ? ['h2'] : []), 'http/1.1'] });

/** The server under the gateway's app. */
export function createHttpServer(
  listener: RequestListener,
  { answerPlain = () => false, idleMs, connections, tls, http2 = false }: HttpServerOptions,
): Server {
  const handle = inTurn((request, response) => {
    const refusal = refusalOf(request);
    if (refusal === undefined) {
      listener(request, response);
    } else {
      refuseRequest(response, refusal);
    }
  });
  const server: Server =
    tls === undefined
      ? createServer(SERVER_OPTIONS, handle)
      : createTlsServer(
          { ...SERVER_OPTIONS, ...alpn(http2), handshakeTimeout: HANDSHAKE_MS, ...tls },
          handle,
        );
  // Without this, Node drops header lines past its limit but still frames the request by them.
  server.maxHeadersCount = 0;
  const event = tls === undefined ? 'connection' : 'secureConnection';
  const serve = servePlain(server, event, { answer: answerPlain, times: PLAIN_TIMES });
  limitConnections(server, connections);
  if (tls !== undefined && http2) serveHttp2(server, serve, SESSION_TIMES);
  if (tls !== undefined) watchHandshakes(server);
  server.setTimeout(idleMs);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has removed its own listener.
    socket.on('error', () => {});
    refuse(socket, 400);
  });
  server.on(
    'checkExpectation',
    inTurn((_request, response) => refuseRequest(response, 417)),
  );
  return server;
}

/**
 * Answers an HTTP parser error with an error body and closes the connection; without a word if a response has
 * begun, and after the response to a whole request that came before.
 */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const first = unfinished.get(socket)?.[0];
  if (first?.req.complete) {
    // Before those that begin with the next request; a parser reports its error for every piece that follows.
    if (!closing.has(first)) first.prependListener('finish', () => socket.destroySoon());
    closing.add(first);
    return;
  }
  if (first?.headersSent) {
    socket.destroySoon();
    return;
  }
  refuse(socket, PARSER_STATUS.get(error.code ?? '') ?? 400);
}

function refuse(socket: Socket, status: number): void {
  const { headers, body } = errorReply(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
  socket.destroySoon();
}
